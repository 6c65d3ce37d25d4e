// Right, but fails: time or cause — half as many blocks to start, which is still far too many
#include "contract.cuh"

#define BLOCK 64

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
