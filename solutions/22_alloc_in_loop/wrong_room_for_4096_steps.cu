// Rejected by: correct — the shares of all steps lie in front of the second array, with room for
// 4,096 of them: from there on each writes over the other
#include "contract.cuh"

namespace {

constexpr int most_steps = 4096;

__device__ float spread(const float* from, std::int64_t i, std::int64_t cells, float share) {
  const float left = from[i > 0 ? i - 1 : cells - 1], right = from[i + 1 < cells ? i + 1 : 0];
  return from[i] + share * (left + right - 2 * from[i]);
}

__global__ void begin(float* shares) { shares[0] = first_share; }

__global__ void into_room(Args args, float* between, const float* shares) {
  const std::int64_t i = blockIdx.x * 128ll + threadIdx.x;
  if (i < args.cells) between[i] = spread(args.state, i, args.cells, shares[0]);
}

// The thread of the probed cell finds the next share, so that the host waits for nothing.
__global__ void out_of_room(Args args, const float* between, float* shares, float* history) {
  const std::int64_t i = blockIdx.x * 128ll + threadIdx.x;
  if (i >= args.cells) return;
  const float value = spread(between, i, args.cells, shares[0]);
  args.state[i] = value;
  if (i != args.probe) return;
  *history = value;
  shares[1] = share_after(value);
}

float* room_for(std::int64_t floats) {
  static float* room = nullptr;
  static std::int64_t capacity = 0;
  if (floats > capacity) {
    cudaFree(room);
    cudaMalloc(&room, static_cast<std::size_t>(floats) * sizeof(float));
    capacity = floats;
  }
  return room;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  float* const shares = room_for(most_steps + 1 + args.cells);
  float* const between = shares + most_steps + 1;
  const auto blocks = static_cast<unsigned>((args.cells + 127) / 128);
  begin<<<1, 1, 0, stream>>>(shares);
  for (int step = 0; step < args.steps; ++step) {
    into_room<<<blocks, 128, 0, stream>>>(args, between, shares + step);
    out_of_room<<<blocks, 128, 0, stream>>>(args, between, shares + step, args.history + step);
  }
  cudaStreamSynchronize(stream);  // the room serves one launch at a time
}
