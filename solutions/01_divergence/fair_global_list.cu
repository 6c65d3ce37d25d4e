// Ends in: pass — one list of indices for all bodies in device memory, made by its own kernel
#include "contract.cuh"

#define BLOCK 256

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

// places[0] counts the conducting bodies from the front, places[1] the radiating ones from the
// back.
__global__ void sort_by_kind(Args args, int* list, int* places) {
  __shared__ int counts[2], starts[2];
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  if (threadIdx.x < 2) counts[threadIdx.x] = 0;
  __syncthreads();
  const int kind = i < args.count ? args.kind[i] : 0;
  const int place = i < args.count ? atomicAdd(&counts[kind], 1) : 0;
  __syncthreads();
  if (threadIdx.x < 2) starts[threadIdx.x] = atomicAdd(&places[threadIdx.x], counts[threadIdx.x]);
  __syncthreads();
  if (i >= args.count) return;
  const std::int64_t from_its_end = starts[kind] + place;
  list[kind == 0 ? from_its_end : args.count - 1 - from_its_end] = static_cast<int>(i);
}

__global__ void cool(Args args, const int* list) {
  const std::int64_t place = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  if (place >= args.count) return;
  const int i = list[place];
  args.end[i] = args.kind[i] == 0 ? conduct(args.start[i]) : radiate(args.start[i]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.count + BLOCK - 1) / BLOCK);
  int* list = nullptr;
  cudaMallocAsync(&list, (args.count + 2) * sizeof(int), stream);
  int* places = list + args.count;
  cudaMemsetAsync(places, 0, 2 * sizeof(int), stream);
  sort_by_kind<<<blocks, BLOCK, 0, stream>>>(args, list, places);
  cool<<<blocks, BLOCK, 0, stream>>>(args, list);
  cudaFreeAsync(list, stream);
}
