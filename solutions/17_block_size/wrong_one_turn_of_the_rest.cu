// Rejected by: correct — four turns of the loop at once, and of the up to three that are left only
// one: an `if` where a `while` is needed
#include "contract.cuh"

#include <algorithm>

namespace {

__device__ float between(const Args& args, float x) { return fminf(fmaxf(x, args.low), args.high); }

__global__ void limit(Args args) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i + 3 * step < args.count; i += 4 * step)
#pragma unroll
    for (int turn = 0; turn < 4; ++turn)
      args.out[i + turn * step] = between(args, args.in[i + turn * step]);
  if (i < args.count) args.out[i] = between(args, args.in[i]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t wanted = (args.count + 255) / 256;
  limit<<<static_cast<unsigned>(std::min<std::int64_t>(wanted, 4096)), 256, 0, stream>>>(args);
}
