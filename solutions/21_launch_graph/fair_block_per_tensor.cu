// Ends in: pass — a block for each tensor, which reads its bounds from the memory of the host
#include "contract.cuh"

namespace {

__global__ void descend(Args args) {
  const std::int64_t start = args.starts[blockIdx.x];
  const std::int64_t end = args.starts[blockIdx.x + 1];
  for (std::int64_t i = start + threadIdx.x; i < end; i += blockDim.x)
    args.weights[i] -= args.rates[blockIdx.x] * args.gradients[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  descend<<<args.tensors, 256, 0, stream>>>(args);
}
