// Rejected by: correct — 32-bit indices, which turn negative from the body number 2,147,483,648 on
#include "contract.cuh"

#define BLOCK 128

namespace {

__device__ float conduct(float t) {
  for (int step = 0; step < conduction_steps; ++step) {
    t -= conduction_step * (1.0f + 0.5f * t) * (t - ambient);
  }
  return t;
}

__device__ float radiate(float t) {
  constexpr float ambient_to_4 = ambient * ambient * ambient * ambient;
  for (int step = 0; step < radiation_steps; ++step) {
    t -= radiation_step * (t * t * (t * t) - ambient_to_4);
  }
  return t;
}

__global__ void cool(Args args) {
  __shared__ int list[BLOCK];
  __shared__ int front, back;
  const int first = blockIdx.x * BLOCK;
  const int count = args.count - first < BLOCK ? static_cast<int>(args.count - first) : BLOCK;
  const int t = threadIdx.x;
  if (t == 0) {
    front = 0;
    back = count - 1;
  }
  __syncthreads();
  if (t < count) {
    if (args.kind[first + t] == 0)
      list[atomicAdd(&front, 1)] = t;
    else
      list[atomicSub(&back, 1)] = t;
  }
  __syncthreads();
  if (t >= count) return;
  const int i = first + list[t];
  if (args.kind[i] == 0)
    args.end[i] = conduct(args.start[i]);
  else
    args.end[i] = radiate(args.start[i]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cool<<<(args.count + BLOCK - 1) / BLOCK, BLOCK, 0, stream>>>(args);
}
