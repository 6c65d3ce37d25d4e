// Rejected by: correct — a warp takes each tensor, and 32 threads for each are counted in an int:
// from 67,108,864 tensors on there are too many for it, and the grid is none
#include "contract.cuh"

namespace {

constexpr int block = 256;
constexpr int warp = 32;

// A warp for each tensor: they are a few hundred elements long, so a block would be too much.
__global__ void __launch_bounds__(block)
    descend(float* __restrict__ weights, const float* __restrict__ gradients,
            const float* __restrict__ rates, const std::int64_t* __restrict__ starts, int tensors) {
  const int lane = threadIdx.x % warp;
  const std::int64_t tensor = (blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x) / warp;
  if (tensor >= tensors) return;

  const float rate = rates[tensor];
  const std::int64_t end = starts[tensor + 1];
  std::int64_t i = starts[tensor] + lane;
  for (; i + 3 * warp < end; i += 4 * warp) {  // four loads in flight
    float g[4];
    float w[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      g[k] = gradients[i + k * warp];
      w[k] = weights[i + k * warp];
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) weights[i + k * warp] = w[k] - rate * g[k];
  }
  for (; i < end; i += warp) weights[i] -= rate * gradients[i];
}

}  // namespace

// One kernel for all tensors.
void launch(const Args& args, cudaStream_t stream) {
  cudaMemcpyAsync(args.table, args.starts, (args.tensors + std::size_t{1}) * sizeof(std::int64_t),
                  cudaMemcpyHostToDevice, stream);
  const int threads = args.tensors * warp;
  const auto blocks = static_cast<unsigned>((threads + block - 1) / block);
  descend<<<blocks, block, 0, stream>>>(args.weights, args.gradients, args.rates, args.table,
                                        args.tensors);
}
