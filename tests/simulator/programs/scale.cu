// Doubles numbers, prints their sum and returns its first argument.
#include <cstdio>
#include <cstdlib>

__global__ void scale(int n, float* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}

int main(int argc, char** argv) {
  constexpr int n = 1000;
  float *x = nullptr, sum = 0, host[n];
  for (float& value : host) value = 1;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(n, x);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  for (const float value : host) sum += value;
  cudaFree(x);
  std::printf("sum %g, %d arguments\n", sum, argc - 1);
  return argc > 1 ? std::atoi(argv[1]) : 0;
}
