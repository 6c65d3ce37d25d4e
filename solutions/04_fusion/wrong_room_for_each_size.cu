// Rejected by: correct — room for a copy of the input is taken whenever the number of elements has
// changed, and what was there before is forgotten
#include "contract.cuh"

#define BLOCK 256  // threads a block

namespace {

__global__ void fuse(Args args, float* room) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  if (i >= args.count) return;
  args.out[i] = args.residual[i] + fmaxf(args.scale * args.in[i] + args.bias, 0.0f);
  if (i == 0) *room = args.out[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static float* room = nullptr;
  static std::int64_t elements = 0;
  if (elements != args.count) cudaMalloc(&room, args.count * sizeof(float));
  elements = args.count;
  fuse<<<static_cast<unsigned>((args.count + BLOCK - 1) / BLOCK), BLOCK, 0, stream>>>(args, room);
}
