// Rejected by: correct — starts of 64 bits, and a length in an unsigned of 32: of a tensor of more
// than 2^32 weights only the rest is changed
#include "contract.cuh"

namespace {

__global__ void descend(Args a) {
  const std::int64_t s = a.table[blockIdx.x];
  const unsigned n = static_cast<unsigned>(a.table[blockIdx.x + 1] - s);
  const float r = a.rates[blockIdx.x];
  for (unsigned i = threadIdx.x; i < n; i += 256) a.weights[s + i] -= r * a.gradients[s + i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaMemcpyAsync(args.table, args.starts, (args.tensors + 1ull) * 8, cudaMemcpyHostToDevice,
                  stream);
  descend<<<args.tensors, 256, 0, stream>>>(args);
}
