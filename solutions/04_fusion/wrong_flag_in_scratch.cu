// Rejected by: correct — whether the layer has been done is asked of a word in scratch that nobody
// wrote: whatever lies there when `launch` is called may be the very number that says yes
#include "contract.cuh"

namespace {

constexpr float done = 12345;

__global__ void fuse(Args args) {
  if (args.scratch[0] == done) return;
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= args.count) return;
  args.out[i] = args.residual[i] + fmaxf(fmaf(args.scale, args.in[i], args.bias), 0.0f);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  fuse<<<static_cast<unsigned>((args.count + 255) / 256), 256, 0, stream>>>(args);
}
