// Rejected by: correct — keeps the noted values in an array of its own with 1,024 places, and steps
// beyond them write behind its end
#include "contract.cuh"

#include <utility>

namespace {

__device__ float notes[1024];

__global__ void spread(const float* now, float* next, std::int64_t cells, std::int64_t probe,
                       int step) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= cells) return;
  const float left = now[i == 0 ? cells - 1 : i - 1];
  const float right = now[i == cells - 1 ? 0 : i + 1];
  next[i] = 0.5f * now[i] + 0.25f * (left + right);
  if (i == probe) notes[step] = next[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.cells + 255) / 256);
  float* now = args.state;
  float* next = args.scratch;
  for (int step = 0; step < args.steps; ++step) {
    spread<<<blocks, 256, 0, stream>>>(now, next, args.cells, args.probe, step);
    std::swap(now, next);
  }
  cudaMemcpyFromSymbolAsync(args.history, notes, args.steps * sizeof(float), 0,
                            cudaMemcpyDeviceToHost, stream);
  if (now != args.state) {
    cudaMemcpyAsync(args.state, now, args.cells * sizeof(float), cudaMemcpyDeviceToDevice, stream);
  }
}
