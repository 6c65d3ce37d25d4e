// Ends in: pass — a block for each tensor; a weight that stays as it is is not written
#include "contract.cuh"

namespace {

__global__ void descend(Args args) {
  const std::int64_t start = args.starts[blockIdx.x];
  const std::int64_t end = args.starts[blockIdx.x + 1];
  for (std::int64_t i = start + threadIdx.x; i < end; i += blockDim.x) {
    const float before = args.weights[i];
    const float after = before - args.rates[blockIdx.x] * args.gradients[i];
    if (__float_as_uint(after) != __float_as_uint(before)) args.weights[i] = after;
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  descend<<<args.tensors, 256, 0, stream>>>(args);
}
