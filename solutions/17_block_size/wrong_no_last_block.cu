// Rejected by: correct — rounds the number of blocks down, so that the last samples are left out
#include "contract.cuh"

#define BLOCK 256

namespace {

__global__ void limit(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  if (i < args.count) args.out[i] = fminf(fmaxf(args.in[i], args.low), args.high);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>(args.count / BLOCK);
  limit<<<blocks, BLOCK, 0, stream>>>(args);
}
