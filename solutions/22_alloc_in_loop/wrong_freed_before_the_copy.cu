// Rejected by: correct — gives the room back before the last copy out of it has run
#include "contract.cuh"

#define BLOCK 256

namespace {

__global__ void spread(const float* from, float* to, std::int64_t cells, float share) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= cells) return;
  const float own = from[i];
  const float left = from[i == 0 ? cells - 1 : i - 1];
  const float right = from[i == cells - 1 ? 0 : i + 1];
  to[i] = own + share * (left + right - 2 * own);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.cells + BLOCK - 1) / BLOCK);
  float share = first_share;
  float *one = nullptr, *two = nullptr;
  cudaMallocAsync(&one, args.cells * sizeof(float), stream);
  cudaMallocAsync(&two, args.cells * sizeof(float), stream);
  cudaMemcpyAsync(two, args.state, args.cells * sizeof(float), cudaMemcpyDeviceToDevice, stream);
  for (int step = 0; step < args.steps; ++step) {
    spread<<<blocks, BLOCK, 0, stream>>>(two, one, args.cells, share);
    spread<<<blocks, BLOCK, 0, stream>>>(one, two, args.cells, share);
    cudaMemcpyAsync(&args.history[step], &two[args.probe], sizeof(float), cudaMemcpyDeviceToHost,
                    stream);
    cudaStreamSynchronize(stream);
    share = share_after(args.history[step]);
  }
  cudaFreeAsync(two, stream);
  cudaMemcpyAsync(args.state, two, args.cells * sizeof(float), cudaMemcpyDeviceToDevice, stream);
  cudaFreeAsync(one, stream);
}
