// Right, but fails: time — one launch and no waiting, but one block is one of many multiprocessors
#include "contract.cuh"

namespace {

__global__ void __launch_bounds__(256) spread_all(Args args) {
  float* now = args.state;
  float* next = args.scratch;
  for (int step = 0; step < args.steps; ++step) {
    for (std::int64_t i = threadIdx.x; i < args.cells; i += blockDim.x) {
      const float left = now[i == 0 ? args.cells - 1 : i - 1];
      const float right = now[i == args.cells - 1 ? 0 : i + 1];
      const float value = 0.5f * now[i] + 0.25f * (left + right);
      next[i] = value;
      if (i == args.probe) args.log[step] = value;
    }
    __syncthreads();
    float* const swapped = now;
    now = next;
    next = swapped;
  }
  if (now == args.state) return;
  for (std::int64_t i = threadIdx.x; i < args.cells; i += blockDim.x) args.state[i] = now[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  spread_all<<<1, 256, 0, stream>>>(args);
  cudaMemcpyAsync(args.history, args.log, args.steps * sizeof(float), cudaMemcpyDeviceToHost,
                  stream);
}
