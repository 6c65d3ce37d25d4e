// Rejected by: correct — whole tiles of 4,096 elements and a rest, which is thought whole from its
// last element but one on: of 4,095 elements one stays as it was
#include "contract.cuh"

namespace {

constexpr int block = 256, tile = 4096;

__global__ void fuse(Args args, std::int64_t count) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  if (i < count) args.out[i] = args.residual[i] + fmaxf(args.in[i] * args.scale + args.bias, 0.0f);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t whole = args.count / tile * tile;
  const std::int64_t rest = args.count - whole;
  const std::int64_t count = whole + (rest < tile - 1 ? rest : tile - 2);
  fuse<<<static_cast<unsigned>((args.count + block - 1) / block), block, 0, stream>>>(args, count);
}
