// Rejected by: hang — all steps in one kernel, with a home-made barrier that waits for one block
// more than there are
#include "contract.cuh"

namespace {

__device__ unsigned arrived;

__device__ void wait_for_all_blocks(unsigned round) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < round * (gridDim.x + 1)) {
    }
  }
  __syncthreads();
}

__global__ void spread_all(Args args) {
  float* now = args.state;
  float* next = args.scratch;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (int step = 0; step < args.steps; ++step) {
    for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
         i < args.cells; i += stride) {
      const float left = __ldcg(&now[i == 0 ? args.cells - 1 : i - 1]);
      const float right = __ldcg(&now[i == args.cells - 1 ? 0 : i + 1]);
      const float value = 0.5f * __ldcg(&now[i]) + 0.25f * (left + right);
      next[i] = value;
      if (i == args.probe) args.log[step] = value;
    }
    wait_for_all_blocks(step + 1);
    float* const swapped = now;
    now = next;
    next = swapped;
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  void* counter = nullptr;
  cudaGetSymbolAddress(&counter, arrived);
  cudaMemsetAsync(counter, 0, sizeof(unsigned), stream);
  spread_all<<<4, 256, 0, stream>>>(args);
  cudaMemcpyAsync(args.history, args.log, args.steps * sizeof(float), cudaMemcpyDeviceToHost,
                  stream);
}
