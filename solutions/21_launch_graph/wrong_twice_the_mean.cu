// Rejected by: correct — one kernel that gives each tensor blocks for twice the mean length; a
// tensor may be longer, and its end is left as it was
#include "contract.cuh"

#define BLOCK 256  // threads a block

namespace {

__global__ void descend(Args args, unsigned blocks_each) {
  const unsigned tensor = blockIdx.x / blocks_each;
  const std::int64_t in_tensor =
      blockIdx.x % blocks_each * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  const std::int64_t i = args.table[tensor] + in_tensor;
  if (i < args.table[tensor + 1]) args.weights[i] -= args.rates[tensor] * args.gradients[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaMemcpyAsync(args.table, args.starts, (args.tensors + 1) * sizeof(std::int64_t),
                  cudaMemcpyHostToDevice, stream);
  const std::int64_t mean = (args.elements + args.tensors - 1) / args.tensors;
  const auto blocks_each = static_cast<unsigned>((2 * mean + BLOCK - 1) / BLOCK);
  const auto tensors = static_cast<unsigned>(args.tensors);
  descend<<<tensors * blocks_each, BLOCK, 0, stream>>>(args, blocks_each);
}
