// Rejected by: cause — the kernels work out the share themselves, so that no step waits for the
// host; but each step still allocates and frees
#include "contract.cuh"

#define BLOCK 256

namespace {

__global__ void spread(const float* from, float* to, std::int64_t cells, const float* before,
                       std::int64_t probe, float* noted) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= cells) return;
  const float share = before == nullptr ? first_share : share_after(*before);
  const float own = from[i];
  const float left = from[i == 0 ? cells - 1 : i - 1];
  const float right = from[i == cells - 1 ? 0 : i + 1];
  to[i] = own + share * (left + right - 2 * own);
  if (noted != nullptr && i == probe) *noted = to[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.cells + BLOCK - 1) / BLOCK);
  const float* before = nullptr;
  for (int step = 0; step < args.steps; ++step) {
    float* between = nullptr;
    cudaMalloc(&between, args.cells * sizeof(float));
    spread<<<blocks, BLOCK, 0, stream>>>(args.state, between, args.cells, before, args.probe,
                                         nullptr);
    spread<<<blocks, BLOCK, 0, stream>>>(between, args.state, args.cells, before, args.probe,
                                         &args.history[step]);
    cudaFree(between);
    before = &args.history[step];
  }
}
