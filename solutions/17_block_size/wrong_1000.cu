// Rejected by: cause — a thousand threads are no whole number of warps: the last warp of each block
// has eight threads, and its other 24 places stay empty
#include "contract.cuh"

#define BLOCK 1000

namespace {

__global__ void limit(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  if (i < args.count) args.out[i] = fminf(fmaxf(args.in[i], args.low), args.high);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.count + BLOCK - 1) / BLOCK);
  limit<<<blocks, BLOCK, 0, stream>>>(args);
}
