// Rejected by: correct — the kept room also holds what the thermostat saw, and is made anew for
// more cells alone: as many cells, or fewer, with more steps write behind its end
#include "contract.cuh"

#ifndef BLOCK
#define BLOCK 256  // threads a block
#endif

namespace {

__global__ void spread(const float* from, float* to, std::int64_t cells, const float* share) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= cells) return;
  const float own = from[i];
  const float left = from[i == 0 ? cells - 1 : i - 1];
  const float right = from[i == cells - 1 ? 0 : i + 1];
  to[i] = own + *share * (left + right - 2 * own);
}

__global__ void begin(float* share) { *share = first_share; }

__global__ void look(const float* probe, float* seen, float* share) {
  *seen = *probe;
  *share = share_after(*seen);
}

struct Kept {
  float* memory = nullptr;
  std::int64_t cells = 0;
} kept;

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (args.cells > kept.cells) {
    cudaFree(kept.memory);
    cudaMalloc(&kept.memory, (args.cells + args.steps + 1) * sizeof(float));
    kept.cells = args.cells;
  }
  float* between = kept.memory;
  float* share = between + args.cells;
  float* seen = share + 1;
  const auto blocks = static_cast<unsigned>((args.cells + BLOCK - 1) / BLOCK);
  begin<<<1, 1, 0, stream>>>(share);
  for (int step = 0; step < args.steps; ++step) {
    spread<<<blocks, BLOCK, 0, stream>>>(args.state, between, args.cells, share);
    spread<<<blocks, BLOCK, 0, stream>>>(between, args.state, args.cells, share);
    look<<<1, 1, 0, stream>>>(args.state + args.probe, seen + step, share);
  }
  cudaMemcpyAsync(args.history, seen, args.steps * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
}
