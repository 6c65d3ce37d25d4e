// Cools every body for one unit of time: kind 0 by conduction, kind 1 by radiation.
#include "contract.cuh"

#ifndef BLOCK
#define BLOCK 256  // threads a block
#endif

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

// TODO: this is correct, but slow. Make it faster and keep its results.
__global__ void cool(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= args.count) return;
  const float t = args.start[i];
  if (args.kind[i] == 0)
    args.end[i] = conduct(t);
  else
    args.end[i] = radiate(t);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cool<<<(args.count + BLOCK - 1) / BLOCK, BLOCK, 0, stream>>>(args);
}
