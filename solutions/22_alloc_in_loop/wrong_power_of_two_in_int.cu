// Rejected by: correct — room is rounded up to a power of two in an int, which has none beyond 2^30
#include "contract.cuh"

namespace {

__global__ void half_step(const float* from, float* to, std::int64_t cells, float share) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= cells) return;
  const float own = from[i];
  const float left = from[i == 0 ? cells - 1 : i - 1];
  const float right = from[i == cells - 1 ? 0 : i + 1];
  to[i] = own + share * (left + right - 2 * own);
}

float* room = nullptr;
std::int64_t has_room_for = 0;

void make_room(std::int64_t cells) {
  if (cells <= has_room_for) return;
  int rounded = 1;
  for (int bit = 0; bit < 31 && rounded < cells; ++bit) rounded <<= 1;
  cudaFree(room);
  has_room_for = rounded;
  cudaMalloc(&room, has_room_for * sizeof(float));
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  make_room(args.cells);
  const auto blocks = static_cast<unsigned>((args.cells + 255) / 256);
  float share = first_share;
  for (int step = 0; step < args.steps; ++step) {
    half_step<<<blocks, 256, 0, stream>>>(args.state, room, args.cells, share);
    half_step<<<blocks, 256, 0, stream>>>(room, args.state, args.cells, share);
    cudaMemcpyAsync(args.history + step, args.state + args.probe, sizeof(float),
                    cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    share = share_after(args.history[step]);
  }
}
