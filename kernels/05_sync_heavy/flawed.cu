// Lets heat spread along a ring, step by step, and notes one cell's temperature after each step.
#include "contract.cuh"

#include <utility>

#ifndef BLOCK
#define BLOCK 256  // threads a block
#endif

namespace {

__global__ void spread(const float* now, float* next, std::int64_t cells) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= cells) return;
  const float left = now[i == 0 ? cells - 1 : i - 1];
  const float right = now[i == cells - 1 ? 0 : i + 1];
  next[i] = 0.5f * now[i] + 0.25f * (left + right);
}

}  // namespace

// TODO: this is correct, but slow. Make it faster and keep its results.
void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.cells + BLOCK - 1) / BLOCK);
  float* now = args.state;
  float* next = args.scratch;
  for (int step = 0; step < args.steps; ++step) {
    spread<<<blocks, BLOCK, 0, stream>>>(now, next, args.cells);
    cudaDeviceSynchronize();
    cudaMemcpy(&args.history[step], &next[args.probe], sizeof(float), cudaMemcpyDeviceToHost);
    std::swap(now, next);
  }
  if (now != args.state) {
    cudaMemcpyAsync(args.state, now, args.cells * sizeof(float), cudaMemcpyDeviceToDevice, stream);
  }
}
