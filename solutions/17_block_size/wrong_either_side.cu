// Rejected by: correct — takes the lower limit for negative and the upper for positive samples,
// which is right only for limits on either side of zero
#include "contract.cuh"

namespace {

constexpr int block = 256;

__global__ void limit(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  if (i >= args.count) return;
  const float x = args.in[i];
  args.out[i] = copysignf(fminf(fabsf(x), x < 0 ? -args.low : args.high), x);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  limit<<<static_cast<unsigned>((args.count + block - 1) / block), block, 0, stream>>>(args);
}
