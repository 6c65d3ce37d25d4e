// Rejected by: correct — each block sorts one stretch of bodies after the other, and its list is
// filled anew while slow warps still read the last one
#include "contract.cuh"

namespace {

constexpr int block = 128, per_multiprocessor = 16;

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
  __shared__ int list[block];
  __shared__ int front[2], back[2];  // of this stretch and of the next one, by turns
  const int t = threadIdx.x;
  const std::int64_t stretches = (args.count + block - 1) / block;
  if (t == 0) front[0] = back[0] = 0;
  __syncthreads();
  int turn = 0;
  for (std::int64_t stretch = blockIdx.x; stretch < stretches; stretch += gridDim.x, turn ^= 1) {
    const std::int64_t first = stretch * block;
    const int count = args.count - first < block ? static_cast<int>(args.count - first) : block;
    if (t < count) {
      if (args.kind[first + t] == 0)
        list[atomicAdd(&front[turn], 1)] = t;
      else
        list[count - 1 - atomicAdd(&back[turn], 1)] = t;
    }
    if (t == 0) front[turn ^ 1] = back[turn ^ 1] = 0;
    __syncthreads();
    if (t < count) {
      const std::int64_t i = first + list[t];
      args.end[i] = args.kind[i] == 0 ? conduct(args.start[i]) : radiate(args.start[i]);
    }
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  int device = 0, multiprocessors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cool<<<multiprocessors * per_multiprocessor, block, 0, stream>>>(args);
}
