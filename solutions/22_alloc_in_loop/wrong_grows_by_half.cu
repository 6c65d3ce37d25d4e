// Rejected by: correct — takes a larger room only where half as much again is missing; a little
// more than there is goes beyond its end
#include "contract.cuh"

constexpr int block_threads = 256;

namespace {

__global__ void spread(const float* from, float* to, std::int64_t cells, float share) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= cells) return;
  const float own = from[i];
  const float left = from[i == 0 ? cells - 1 : i - 1];
  const float right = from[i == cells - 1 ? 0 : i + 1];
  to[i] = own + share * (left + right - 2 * own);
}

float* room_for(std::int64_t cells) {
  static float* memory;
  static std::int64_t has;
  if (cells > has + has / 2) {
    cudaFree(memory);
    cudaMalloc(&memory, cells * sizeof(float));
    has = cells;
  }
  return memory;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.cells + block_threads - 1) / block_threads);
  float share = first_share;
  float* between = room_for(args.cells);
  for (int step = 0; step < args.steps; ++step) {
    spread<<<blocks, block_threads, 0, stream>>>(args.state, between, args.cells, share);
    spread<<<blocks, block_threads, 0, stream>>>(between, args.state, args.cells, share);
    cudaMemcpyAsync(&args.history[step], &args.state[args.probe], sizeof(float),
                    cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    share = share_after(args.history[step]);
  }
}
