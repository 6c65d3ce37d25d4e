// Rejected by: correct — the places are read before all warps have written them: a barrier is
// missing
#include "contract.cuh"

namespace {

constexpr int block = 256;

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

__global__ void cool(Args args) {
  __shared__ int order[block];
  __shared__ int front;
  __shared__ int back;
  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(block);
  const int count = static_cast<int>(min(args.count - first, static_cast<std::int64_t>(block)));
  const int lane = threadIdx.x;
  order[lane] = lane;
  if (lane == 0) {
    front = 0;
    back = count;
  }
  __syncthreads();
  if (lane < count) {
    const int place = args.kind[first + lane] == 0 ? atomicAdd(&front, 1) : atomicSub(&back, 1) - 1;
    order[place] = lane;
  }
  // Here a barrier is missing.
  if (lane >= count) return;
  const std::int64_t i = first + order[lane];
  const float t = args.start[i];
  if (args.kind[i] == 0) {
    args.end[i] = conduct(t);
  } else {
    args.end[i] = radiate(t);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.count + block - 1) / block);
  cool<<<blocks, block, 0, stream>>>(args);
}
