// Ends in: pass — no rows at all: one element a thread, which looks up the gain of its row
#include "contract.cuh"

namespace {

__global__ void scale(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < args.rows * args.columns) args.out[i] = args.gain[i / args.columns] * args.in[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t count = args.rows * args.columns;
  scale<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(args);
}
