// What the two files of a program built with -rdc=true know of each other.
#pragma once

struct Shape {
  __device__ virtual float area(float side) const = 0;
};

extern __device__ int calls;
extern __constant__ float factors[4];
extern __managed__ int visits;
__device__ float scaled(int i);
__device__ float (*pick(int i))(float);

// Made once for each file; the device linker keeps one.
template <class T>
__device__ T square(T x) {
  static __device__ int uses;
  atomicAdd(&uses, 1);
  return x * x;
}

void launch_other(float* out, int n);
