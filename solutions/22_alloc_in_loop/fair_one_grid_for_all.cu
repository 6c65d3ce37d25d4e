// Ends in: pass — one grid for every ring, whose threads stride over it, and room that is kept
#include "contract.cuh"

namespace {

__global__ void half_step(const float* from, float* to, std::int64_t cells, float share) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (; i < cells; i += stride) {
    const float own = from[i];
    const float left = i > 0 ? from[i - 1] : from[cells - 1];
    const float right = i + 1 < cells ? from[i + 1] : from[0];
    to[i] = own + share * (left + right - 2 * own);
  }
}

float* room = nullptr;
std::int64_t has_room_for = 0;

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (args.cells > has_room_for) {
    cudaFree(room);
    cudaMalloc(&room, args.cells * sizeof(float));
    has_room_for = args.cells;
  }
  float share = first_share;
  for (int step = 0; step < args.steps; ++step) {
    half_step<<<264, 256, 0, stream>>>(args.state, room, args.cells, share);
    half_step<<<264, 256, 0, stream>>>(room, args.state, args.cells, share);
    cudaMemcpyAsync(args.history + step, args.state + args.probe, sizeof(float),
                    cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    share = share_after(args.history[step]);
  }
}
