// Rejected by: correct — the last tile of 192 takes count % 192 bodies, which is none at all where
// the bodies are a multiple of 192
#include "contract.cuh"

namespace {

constexpr int tile = 192;

__device__ float cooled(float t, int kind) {
  if (kind == 0) {
    for (int step = 0; step < conduction_steps; ++step)
      t -= conduction_step * ((1.0f + 0.5f * t) * (t - ambient));
  } else {
    constexpr float ambient_to_4 = ambient * ambient * ambient * ambient;
    for (int step = 0; step < radiation_steps; ++step)
      t -= radiation_step * (t * t * (t * t) - ambient_to_4);
  }
  return t;
}

__global__ void cool(Args args) {
  const bool last = blockIdx.x + 1 == gridDim.x;
  const int bodies = last ? static_cast<int>(args.count % tile) : tile;
  const std::int64_t i = blockIdx.x * std::int64_t{tile} + threadIdx.x;
  if (threadIdx.x < bodies) args.end[i] = cooled(args.start[i], args.kind[i]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cool<<<static_cast<unsigned>((args.count + tile - 1) / tile), tile, 0, stream>>>(args);
}
