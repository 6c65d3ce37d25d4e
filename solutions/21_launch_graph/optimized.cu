// One kernel for all tensors, a block for each, and one copy that tells the blocks where they lie.
#include "contract.cuh"

#ifndef BLOCK
#define BLOCK 256  // threads a block
#endif

namespace {

__global__ void __launch_bounds__(BLOCK) descend(Args args) {
  const int tensor = blockIdx.x;
  const float rate = args.rates[tensor];
  const std::int64_t end = args.table[tensor + 1];
  for (std::int64_t i = args.table[tensor] + threadIdx.x; i < end; i += BLOCK)
    args.weights[i] -= rate * args.gradients[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::size_t bytes = (args.tensors + std::size_t{1}) * sizeof(*args.starts);
  cudaMemcpyAsync(args.table, args.starts, bytes, cudaMemcpyHostToDevice, stream);
  descend<<<static_cast<unsigned>(args.tensors), BLOCK, 0, stream>>>(args);
}
