// Rejected by: correct — one kernel that takes all tensors to be of the same length
#include "contract.cuh"

namespace {

__global__ void descend(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  const std::int64_t length = args.elements / args.tensors;
  if (i < args.elements) args.weights[i] -= args.rates[i / length] * args.gradients[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  descend<<<static_cast<unsigned>((args.elements + 255) / 256), 256, 0, stream>>>(args);
}
