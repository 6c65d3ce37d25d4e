// Ends in: pass — blocks that stay, and sort one stretch of bodies after the other; the barrier in
// front of the next list is that of its ends
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
  __shared__ int front, back;
  const int t = threadIdx.x;
  const std::int64_t stretches = (args.count + block - 1) / block;
  for (std::int64_t stretch = blockIdx.x; stretch < stretches; stretch += gridDim.x) {
    const std::int64_t first = stretch * block;
    const int count = args.count - first < block ? static_cast<int>(args.count - first) : block;
    if (t == 0) {
      front = 0;
      back = count - 1;
    }
    __syncthreads();
    if (t < count) {
      if (args.kind[first + t] == 0)
        list[atomicAdd(&front, 1)] = t;
      else
        list[atomicSub(&back, 1)] = t;
    }
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
