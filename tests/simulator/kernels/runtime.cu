// Scenarios for the replacement runtime: each returns 0, or the line of its first failed check.
#include <cooperative_groups.h>
#include <dlfcn.h>

#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "scenario.cuh"

namespace cg = cooperative_groups;

__constant__ float factors[4];
__device__ int counter;
__managed__ int shared_with_host = 5;

__global__ void scale(int n, float factor, float* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factor;
}

__global__ void use_constant(float* out) { out[threadIdx.x] = factors[threadIdx.x % 4]; }

__global__ void bump_variables() {
  atomicAdd(&counter, 1);
  atomicAdd(&shared_with_host, 1);
}

template <int n>
__global__ void reverse(int* data) {
  __shared__ int tile[n];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[n - 1 - threadIdx.x];
}

__global__ void dynamic(int n, int* data) {
  extern __shared__ int tile[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) tile[i] = i;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = tile[n - 1 - i];
}

__global__ void __launch_bounds__(64) bounded(int* data) { data[threadIdx.x] = 1; }

struct Many {
  char c;
  double d;
  int values[5];
};
__global__ void arguments(char a, Many many, short b, double* out) {
  *out = a + many.d + many.values[4] + b + many.c;
}

__global__ void grid_sync(int* data) {
  auto grid = cg::this_grid();
  atomicAdd(&data[0], 1);
  grid.sync();
  if (threadIdx.x == 0) data[1 + blockIdx.x] = data[0];
}

__global__ void spin() {
  volatile int forever = 1;
  while (forever) {
  }
}

__global__ void out_of_range(int* data) { data[1 << 20] = 1; }

__global__ void nothing() {}
__device__ char* piece;
__global__ void keep_piece() { piece = static_cast<char*>(malloc(64)); }
__global__ void give_back_piece() { free(piece); }

extern "C" {

int launches() {
  Check check;
  const int n = 1000;
  std::vector<float> host(n, 2.0f);
  float* data = nullptr;
  check(cudaMalloc(&data, n * sizeof(float)));
  check(cudaMemcpy(data, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  scale<<<4, 256>>>(n, 1.5f, data);
  check(cudaGetLastError());
  float factor = 2.0f;
  int count = n;
  void* list[] = {&count, &factor, &data};
  check(cudaLaunchKernel(scale, dim3(4), dim3(256), list, 0, nullptr));
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(4);
  config.blockDim = dim3(256);
  check(cudaLaunchKernelEx(&config, scale, n, 0.5f, data));
  cudaKernel_t kernel = nullptr;
  check(cudaGetKernel(&kernel, scale));
  check(cudaLaunchKernel(reinterpret_cast<void*>(kernel), dim3(4), dim3(256), list, 0, nullptr));
  check(cudaMemcpy(host.data(), data, n * sizeof(float), cudaMemcpyDeviceToHost));
  check(host[0] == 6.0f && host[n - 1] == 6.0f);
  double* out = nullptr;
  check(cudaMalloc(&out, sizeof(double)));
  arguments<<<1, 1>>>(1, Many{2, 0.5, {0, 0, 0, 0, 7}}, 3, out);
  double sum = 0;
  check(cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost));
  check(sum == 13.5);
  int* tile = zeroed(64);
  reverse<32><<<1, 32>>>(tile);
  reverse<64><<<1, 64>>>(tile);
  check(cudaDeviceSynchronize());
  return check.line;
}

int symbols() {
  Check check;
  const float values[4] = {1, 2, 3, 4};
  check(cudaMemcpyToSymbol(factors, values, sizeof values));
  float* out = nullptr;
  check(cudaMalloc(&out, 32 * sizeof(float)));
  use_constant<<<1, 32>>>(out);
  float host[32];
  check(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  check(host[0] == 1 && host[5] == 2 && host[31] == 4);
  int zero = 0;
  check(cudaMemcpyToSymbol(counter, &zero, sizeof zero));
  const int before = shared_with_host;
  bump_variables<<<2, 32>>>();
  check(cudaDeviceSynchronize());
  int counted = 0;
  check(cudaMemcpyFromSymbol(&counted, counter, sizeof counted));
  check(counted == 64);
  check(shared_with_host == before + 64);
  void* address = nullptr;
  std::size_t size = 0;
  check(cudaGetSymbolAddress(&address, counter));
  check(cudaGetSymbolSize(&size, factors));
  check(size == sizeof values && value_of(static_cast<int*>(address)) == 64);
  check(cudaMemcpyToSymbol(counter, values, sizeof values) == cudaErrorInvalidValue);
  return check.line;
}

int function_attributes() {
  Check check;
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, reverse<64>));
  check(attributes.sharedSizeBytes == 256);
  check(attributes.numRegs > 0);  // read from the machine code next to the PTX
  check(attributes.binaryVersion == 90);
  check(cudaFuncGetAttributes(&attributes, bounded));
  check(attributes.maxThreadsPerBlock == 64);
  const char* name = nullptr;
  check(cudaFuncGetName(&name, reinterpret_cast<const void*>(bounded)));
  check(name != nullptr && std::strcmp(name, "_Z7boundedPi") == 0);
  std::size_t offset = 0, size = 0;
  check(cudaFuncGetParamInfo(reinterpret_cast<const void*>(arguments), 1, &offset, &size));
  check(offset == 8 && size == sizeof(Many));
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic, 1024, 0));
  check(blocks == 2);  // 2,048 threads a multiprocessor
  check(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024));
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic, 64, 100 * 1024));
  check(blocks == 2);  // two times 101 KB of 228 KB
  int grid = 0, block = 0;
  check(cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale));
  check(block == 1024 && grid == 2 * 132);
  check(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&value_of)) ==
        cudaErrorInvalidDeviceFunction);
  return check.line;
}

int refused_launches() {
  Check check;
  int* data = zeroed(40 * 1024);
  scale<<<1, 2048>>>(0, 1.0f, nullptr);
  check(cudaPeekAtLastError() == cudaErrorInvalidValue);
  check(cudaGetLastError() == cudaErrorInvalidValue);
  check(cudaGetLastError() == cudaSuccess);
  scale<<<0, 32>>>(0, 1.0f, nullptr);
  check(cudaGetLastError() == cudaErrorInvalidValue);
  bounded<<<1, 65>>>(data);
  check(cudaGetLastError() != cudaSuccess);
  dynamic<<<1, 256, 60 * 1024>>>(15 * 1024, data);
  check(cudaGetLastError() == cudaErrorInvalidValue);
  check(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 60 * 1024));
  dynamic<<<1, 256, 60 * 1024>>>(15 * 1024, data);
  check(cudaDeviceSynchronize());
  check(value_of(data) == 15 * 1024 - 1);
  check(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20) ==
        cudaErrorInvalidValue);
  check(cudaGetLastError() == cudaErrorInvalidValue);
  return check.line;
}

int cooperative() {
  Check check;
  int* data = zeroed(9);
  void* list[] = {&data};
  check(cudaLaunchCooperativeKernel(grid_sync, dim3(8), dim3(64), list));
  check(cudaDeviceSynchronize());
  std::vector<int> host(9);
  check(cudaMemcpy(host.data(), data, 9 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 9; i++) check(host[i] == 512);
  check(cudaLaunchCooperativeKernel(grid_sync, dim3(100000), dim3(1024), list) ==
        cudaErrorCooperativeLaunchTooLarge);
  return check.line;
}

int sticky_error() {
  Check check;
  int* data = zeroed(32);
  out_of_range<<<1, 1>>>(data);
  check(cudaGetLastError());  // the launch itself was fine
  check(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  check(cudaGetLastError() == cudaErrorIllegalAddress);
  check(cudaGetLastError() == cudaErrorIllegalAddress);
  void* more = nullptr;
  check(cudaMalloc(&more, 4) == cudaErrorIllegalAddress);
  return check.line;
}

int endless_kernel() {
  Check check;
  spin<<<1, 32>>>();
  check(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
  return check.line;
}

// Who leaves for an answer is no file with an endless kernel.
int endless_within_kernel_file() {
  Check check;
  const auto call =
      reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "klab_sim_call_kernel_file"));
  check(call != nullptr);
  if (call == nullptr) return check.line;
  int* data = zeroed(1);
  call(1);
  spin<<<1, 32>>>();
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  out_of_range<<<1, 1>>>(data);  // does not run any more
  check(cudaDeviceSynchronize());
  check(cudaFree(data));
  call(0);
  check(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
  return check.line;
}

int cancelled_kernel() {
  Check check;
  const auto cancel = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "klab_sim_cancel"));
  check(cancel != nullptr);
  if (cancel == nullptr) return check.line;
  std::thread stopper([cancel] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    cancel();
  });
  spin<<<1, 32>>>();
  check(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
  stopper.join();
  return check.line;
}

int memory_limit() {
  Check check;
  constexpr size_t piece = 1 << 20;
  std::vector<void*> pieces;
  cudaError_t status = cudaSuccess;
  for (void* memory = nullptr; (status = cudaMalloc(&memory, piece)) == cudaSuccess;) {
    pieces.push_back(memory);
    check(pieces.size() <= 64);
    check(cudaMemset(memory, 1, piece));
  }
  check(status == cudaErrorMemoryAllocation);
  check(cudaGetLastError() == cudaErrorMemoryAllocation);
  check(cudaGetLastError());  // it is not sticky
  void* memory = nullptr;
  check(cudaMallocAsync(&memory, piece, nullptr) == cudaErrorMemoryAllocation);
  check(cudaMallocHost(&memory, piece) == cudaErrorMemoryAllocation);
  size_t pitch = 0;
  check(cudaMallocPitch(&memory, &pitch, SIZE_MAX / 2, 4) == cudaErrorMemoryAllocation);
  check(cudaFree(pieces.back()));
  check(cudaMalloc(&memory, piece));
  add_one<<<1, 1>>>(static_cast<int*>(memory));
  check(cudaDeviceSynchronize());
  return check.line;
}

int diluted() {
  Check check;
  for (int i = 0; i < 3; i++) add_one<<<2, 1>>>(zeroed(1));
  nothing<<<600, 32>>>();
  check(cudaDeviceSynchronize());
  return check.line;
}

int kept_pieces() {
  Check check;
  for (int i = 0; i < 3; i++) keep_piece<<<1, 1>>>();
  give_back_piece<<<1, 1>>>();
  check(cudaDeviceSynchronize());
  return check.line;
}

int many_launches() {
  Check check;
  int* data = zeroed(1);
  for (int i = 0; i < 1000; i++) add_one<<<1, 1>>>(data);
  check(value_of(data) == 1000);
  return check.line;
}

}  // extern "C"
