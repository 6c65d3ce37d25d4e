// Rejected by: cause — frees all at the end, so that nothing waits in the loop; allocated as often
#include "contract.cuh"

#include <vector>

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
  std::vector<float*> rooms;
  for (int step = 0; step < args.steps; ++step) {
    float* between = nullptr;
    cudaMalloc(&between, args.cells * sizeof(float));
    rooms.push_back(between);
    spread<<<blocks, BLOCK, 0, stream>>>(args.state, between, args.cells, share);
    spread<<<blocks, BLOCK, 0, stream>>>(between, args.state, args.cells, share);
    cudaMemcpyAsync(&args.history[step], &args.state[args.probe], sizeof(float),
                    cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    share = share_after(args.history[step]);
  }
  for (float* room : rooms) cudaFree(room);
}
