// Rejected by: correct — resident blocks sort one stretch of bodies after the other and take the
// length of their first one for that of each: the last stretch of all is shorter, and on a large
// device it is a block's first one up to a million bodies
#include "contract.cuh"

namespace {

constexpr int block = 128, longest = 4 * block, per_multiprocessor = 16;

__device__ float conduct(float t) {
  for (int step = 0; step < conduction_steps; ++step)
    t -= conduction_step * (1.0f + 0.5f * t) * (t - ambient);
  return t;
}

__device__ float radiate(float t) {
  constexpr float ambient_to_4 = ambient * ambient * ambient * ambient;
  for (int step = 0; step < radiation_steps; ++step)
    t -= radiation_step * (t * t * (t * t) - ambient_to_4);
  return t;
}

__global__ void cool(Args args) {
  __shared__ int list[longest];
  __shared__ int front, back;
  const int t = threadIdx.x;
  const std::int64_t stretches = (args.count + longest - 1) / longest;
  std::int64_t first = blockIdx.x * std::int64_t{longest};
  const int count = args.count - first < longest ? static_cast<int>(args.count - first) : longest;
  for (std::int64_t stretch = blockIdx.x; stretch < stretches; stretch += gridDim.x) {
    first = stretch * longest;
    if (t == 0) {
      front = 0;
      back = count - 1;
    }
    __syncthreads();
    for (int i = t; i < count; i += block)
      list[args.kind[first + i] == 0 ? atomicAdd(&front, 1) : atomicSub(&back, 1)] = i;
    __syncthreads();
    for (int i = t; i < count; i += block) {
      const std::int64_t body = first + list[i];
      args.end[body] = args.kind[body] == 0 ? conduct(args.start[body]) : radiate(args.start[body]);
    }
    __syncthreads();
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  int device = 0, multiprocessors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  const std::int64_t stretches = (args.count + longest - 1) / longest;
  const std::int64_t most = std::int64_t{multiprocessors} * per_multiprocessor;
  cool<<<static_cast<unsigned>(stretches < most ? stretches : most), block, 0, stream>>>(args);
}
