// Rejected by: correct — 128 turns of 256 threads were thought to be enough for any row: the
// columns from 32,768 on stay as they were
#include "contract.cuh"

namespace {

constexpr int block = 256;
constexpr int turns = 128;

__global__ void scale_rows(Args args) {
  const std::int64_t row = blockIdx.x;
  const float gain = args.gain[row];
  for (int turn = 0; turn < turns; ++turn) {
    const std::int64_t column = turn * block + static_cast<int>(threadIdx.x);
    if (column >= args.columns) return;
    args.out[row * args.columns + column] = gain * args.in[row * args.columns + column];
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  scale_rows<<<static_cast<unsigned>(args.rows), block, 0, stream>>>(args);
}
