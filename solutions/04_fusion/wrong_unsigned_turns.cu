// Rejected by: correct — a loop over a grid of fixed size whose index has 32 bits: behind 2^32
// elements it begins anew, and never ends
#include <algorithm>

#include "contract.cuh"

namespace {

__global__ void fuse(Args args) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < args.count;
       i += gridDim.x * blockDim.x)
    args.out[i] = args.residual[i] + fmaxf(args.scale * args.in[i] + args.bias, 0.0f);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>((args.count + 255) / 256, 4096));
  fuse<<<blocks, 256, 0, stream>>>(args);
}
