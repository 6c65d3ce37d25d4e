// Rejected by: correct — one cooperative kernel whose blocks wait for each other by a counter of
// their own: without a fence nobody need see what the others wrote
#include "contract.cuh"

namespace {

__device__ unsigned arrived;

__device__ void wait_for_all(unsigned blocks) {
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < blocks) {
    }
  }
  __syncthreads();
}

__global__ void spread(Args args) {
  const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  float* now = args.state;
  float* next = args.scratch;
  for (int step = 0; step < args.steps; ++step) {
    for (std::int64_t i = first; i < args.cells; i += threads) {
      const float left = now[i == 0 ? args.cells - 1 : i - 1];
      const float right = now[i == args.cells - 1 ? 0 : i + 1];
      next[i] = 0.5f * now[i] + 0.25f * (left + right);
      if (i == args.probe) args.log[step] = next[i];
    }
    wait_for_all((step + 1) * gridDim.x);
    float* const done = next;
    next = now;
    now = done;
  }
  if (now == args.state) return;
  for (std::int64_t i = first; i < args.cells; i += threads) args.state[i] = now[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  void* counter = nullptr;
  cudaGetSymbolAddress(&counter, arrived);
  cudaMemsetAsync(counter, 0, sizeof(unsigned), stream);
  const std::int64_t needed = (args.cells + 511) / 512;
  Args copy = args;
  void* parameters[] = {&copy};
  cudaLaunchCooperativeKernel(spread, dim3(static_cast<unsigned>(needed < 64 ? needed : 64)),
                              dim3(512), parameters, 0, stream);
  cudaMemcpyAsync(args.history, args.log, args.steps * sizeof(float), cudaMemcpyDeviceToHost,
                  stream);
}
