// Device code in two files (nvcc -rdc=true): functions, variables and constants across them, and
// names that each file has for itself.
#include <cstdio>
#include <vector>

#include "shared.cuh"

__device__ int calls = 5;
__constant__ float factors[4] = {1, 2, 3, 4};
__managed__ int visits;
static __device__ int hidden = 100;
static __device__ int helper(int x) { return x + hidden; }

__global__ void first(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = scaled(i) * factors[i % 4] + helper(i) + square(i % 10) + pick(i)(2.f);
  atomicAdd(&calls, 1);
  atomicAdd(&visits, 1);
  if (i == 3) printf("first %s\n", "hello");
}

__global__ void grandchild(int* out) { *out = 1; }
__global__ void launches(int* out, bool really) {
  if (really)
    grandchild<<<1, 1>>>(out);
  else
    *out = 7;
}

namespace {

int wrong(const float* out, int n, float (*want)(int)) {
  std::vector<float> values(n);
  cudaMemcpy(values.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  int count = 0;
  for (int i = 0; i < n; ++i) count += values[i] != want(i);
  return count;
}

}  // namespace

int main(int count, char**) {
  const int n = 1000;
  float* out = nullptr;
  cudaMalloc(&out, n * sizeof(float));
  first<<<4, 256>>>(out, n);
  int bad = wrong(out, n, [](int i) {
    return 0.5f * i * (i % 4 + 1) + (i + 100) + (i % 10) * (i % 10) + (i % 2 == 0 ? 3.f : 20.f);
  });
  launch_other(out, n);
  bad += wrong(out, n, [](int i) { return 7.f * (i % 4 + 1) + i + 5005; });
  int called = 0;
  cudaMemcpyFromSymbol(&called, calls, sizeof called);
  const int hundred_and_one = 101;
  cudaMemcpyToSymbol(hidden, &hundred_and_one, sizeof hundred_and_one);
  int* seven = nullptr;
  cudaMalloc(&seven, sizeof(int));
  launches<<<1, 1>>>(seven, count > 1);
  const cudaError_t end = cudaGetLastError();
  int number = 0;
  cudaMemcpy(&number, seven, sizeof number, cudaMemcpyDeviceToHost);
  std::printf("wrong %d, calls %d, visits %d, number %d, %s\n", bad, called, visits, number,
              cudaGetErrorName(end));
  cudaFree(out);
  cudaFree(seven);
  return bad != 0;
}
