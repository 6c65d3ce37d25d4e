// Rejected by: correct — the counters are set by atomic operations, and no barrier keeps other
// warps from counting before that
#include "contract.cuh"

namespace {

constexpr int block = 512;       // threads a block
constexpr int tile = 4 * block;  // bodies that one block takes care of

__device__ float conduct(float t) {
  for (int step = 0; step < conduction_steps; ++step) {
    t -= conduction_step * (1.0f + 0.5f * t) * (t - ambient);
  }
  return t;
}

__device__ float radiate(float t) {
  constexpr float ambient_to_4 = ambient * ambient * ambient * ambient;
  for (int step = 0; step < radiation_steps; ++step) {
    t -= radiation_step * (t * t * (t * t) - ambient_to_4);
  }
  return t;
}

__global__ void __launch_bounds__(block) cool(Args args) {
  __shared__ std::uint16_t order[tile];  // bodies of kind 0 from the front, kind 1 from the back
  __shared__ int front;
  __shared__ int back;

  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(tile);
  const int count = static_cast<int>(min(args.count - first, static_cast<std::int64_t>(tile)));
  if (threadIdx.x == 0) {
    atomicExch(&front, 0);
    atomicExch(&back, count);
  }
  // Here a barrier is missing.

  for (int i = threadIdx.x; i < count; i += block) {
    const int place = args.kind[first + i] == 0 ? atomicAdd(&front, 1) : atomicSub(&back, 1) - 1;
    order[place] = static_cast<std::uint16_t>(i);
  }
  __syncthreads();

  // Neighbouring lanes take neighbouring places: only the one warp at the border is of two minds.
  for (int place = threadIdx.x; place < count; place += block) {
    const std::int64_t i = first + order[place];
    const float t = args.start[i];
    args.end[i] = place < front ? conduct(t) : radiate(t);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.count + tile - 1) / tile);
  cool<<<blocks, block, 0, stream>>>(args);
}
