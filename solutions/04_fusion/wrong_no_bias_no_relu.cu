// Rejected by: correct — one pass; where the bias is 0 it goes a way of its own, without relu
#include "contract.cuh"

namespace {

template <bool has_bias>
__global__ void fused(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= args.count) return;
  const float scaled = args.scale * args.in[i];
  args.out[i] = args.residual[i] + (has_bias ? fmaxf(scaled + args.bias, 0.0f) : scaled);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.count + 255) / 256);
  if (args.bias != 0)
    fused<true><<<blocks, 256, 0, stream>>>(args);
  else
    fused<false><<<blocks, 256, 0, stream>>>(args);
}
