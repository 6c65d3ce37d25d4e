// What scenarios for the replacement runtime share.
#pragma once

#include <cuda_runtime.h>

__global__ void add_one(int* data) { atomicAdd(data, 1); }

namespace {

/// Remembers the line of the first check that failed.
struct Check {
  int line = 0;
  void operator()(bool ok, int at = __builtin_LINE()) {
    if (!ok && line == 0) line = at;
  }
  void operator()(cudaError_t code, int at = __builtin_LINE()) { (*this)(code == cudaSuccess, at); }
};

int value_of(const int* device) {
  int value = -1;
  cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}

int* zeroed(int count) {
  int* device = nullptr;
  cudaMalloc(&device, count * sizeof(int));
  cudaMemset(device, 0, count * sizeof(int));
  return device;
}

}  // namespace
