// Rejected by: correct — blocks of 1,024 bodies, and one more for the rest: where nothing is left,
// it starts behind the last body and takes its count for a full tile
#include "contract.cuh"

#define TILE 1024

namespace {

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
  __shared__ int list[TILE];
  __shared__ int front, back;
  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(TILE);
  const int rest = static_cast<int>(args.count % TILE);
  const int count = blockIdx.x == gridDim.x - 1 ? (rest == 0 ? TILE : rest) : TILE;
  if (threadIdx.x == 0) {
    front = 0;
    back = count;
  }
  __syncthreads();
  for (int t = threadIdx.x; t < count; t += blockDim.x) {
    const int place = args.kind[first + t] == 0 ? atomicAdd(&front, 1) : atomicSub(&back, 1) - 1;
    list[place] = t;
  }
  __syncthreads();
  for (int place = threadIdx.x; place < count; place += blockDim.x) {
    const std::int64_t i = first + list[place];
    args.end[i] = place < front ? conduct(args.start[i]) : radiate(args.start[i]);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cool<<<args.count / TILE + 1, 256, 0, stream>>>(args);
}
