// The second file: what the first one calls, and a kernel of its own.
#include <cstdio>

#include "shared.cuh"

static __device__ int hidden = 5005;
static __device__ int helper(int x) { return x + hidden; }

__device__ float scaled(int i) { return 0.5f * i; }

static __device__ float up(float x) { return x + 1; }
static __device__ float ten_times(float x) { return x * 10; }
__device__ float (*pick(int i))(float) { return i % 2 == 0 ? up : ten_times; }

struct Seven : Shape {
  __device__ float area(float side) const override { return 7 * side; }
};

__global__ void second(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Seven seven;
  const Shape* shape = &seven;
  out[i] = shape->area(factors[i % 4]) + helper(i) + square(0);
  atomicAdd(&calls, 1);
  if (i == 4) printf("second %s\n", "world");
}

void launch_other(float* out, int n) { second<<<4, 256>>>(out, n); }
