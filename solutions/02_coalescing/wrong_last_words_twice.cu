// Rejected by: correct — a block for each row goes on into the next row to the end of its last
// turn, and counts on the block of that row to come later and write it right
#include "contract.cuh"

namespace {

constexpr int block = 256;

__global__ void scale(Args args) {
  const std::int64_t first = blockIdx.x * args.columns;
  const std::int64_t turns = (args.columns + block - 1) / block;
  const std::int64_t end = args.rows * args.columns;
  const float gain = args.gain[blockIdx.x];
  for (std::int64_t turn = 0; turn < turns; ++turn) {
    const std::int64_t i = first + turn * block + threadIdx.x;
    if (i < end) args.out[i] = gain * args.in[i];
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  scale<<<static_cast<unsigned>(args.rows), block, 0, stream>>>(args);
}
