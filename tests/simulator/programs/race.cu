// Sums over shared memory without the barrier that it needs; with an argument it aborts at the end.
#include <cstdio>
#include <cstdlib>

__global__ void total(int* out) {
  __shared__ int part[64];
  part[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 32) part[threadIdx.x] += part[threadIdx.x + 32];
  __syncthreads();
  if (threadIdx.x == 0) *out = part[0];
}

int main(int argc, char**) {
  int* out = nullptr;
  cudaMalloc(&out, sizeof(int));
  total<<<1, 64>>>(out);
  const cudaError_t status = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorName(status));
  std::fflush(stdout);
  if (argc > 1) std::abort();
  return 0;
}
