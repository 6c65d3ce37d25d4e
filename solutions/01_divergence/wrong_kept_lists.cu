// Rejected by: correct — takes the room for its list from the pool in each call and never gives it
// back
#include "contract.cuh"
namespace {
__device__ float conduct(float t) {
  for (int s = 0; s < conduction_steps; ++s)
    t -= conduction_step * (1.0f + 0.5f * t) * (t - ambient);
  return t;
}
__device__ float radiate(float t) {
  constexpr float a4 = ambient * ambient * ambient * ambient;
  for (int s = 0; s < radiation_steps; ++s) t -= radiation_step * (t * t * (t * t) - a4);
  return t;
}
__global__ void sort_by_kind(Args args, std::int64_t* list, unsigned long long* ends) {
  const std::int64_t i = blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x;
  if (i >= args.count) return;
  const std::int64_t at =
      args.kind[i] == 0 ? atomicAdd(&ends[0], 1ull) : args.count - 1 - atomicAdd(&ends[1], 1ull);
  list[at] = i;
}
__global__ void cool(Args args, const std::int64_t* list) {
  const std::int64_t p = blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x;
  if (p >= args.count) return;
  const std::int64_t i = list[p];
  args.end[i] = args.kind[i] == 0 ? conduct(args.start[i]) : radiate(args.start[i]);
}
}  // namespace
void launch(const Args& args, cudaStream_t stream) {
  std::int64_t* list = nullptr;
  unsigned long long* ends = nullptr;
  cudaMallocAsync(&list, args.count * sizeof(std::int64_t), stream);
  cudaMallocAsync(&ends, 2 * sizeof(unsigned long long), stream);
  cudaMemsetAsync(ends, 0, 2 * sizeof(unsigned long long), stream);
  const auto blocks = unsigned((args.count + 255) / 256);
  sort_by_kind<<<blocks, 256, 0, stream>>>(args, list, ends);
  cool<<<blocks, 256, 0, stream>>>(args, list);
}
