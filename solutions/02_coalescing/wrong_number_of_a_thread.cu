// Rejected by: correct — a warp takes a row, which it finds by the number of its thread: with 2^27
// rows there are 2^32 threads, and an unsigned number begins anew
#include "contract.cuh"

namespace {

constexpr unsigned warps = 8;  // of a block

__global__ void scale_rows(Args args) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const std::int64_t row = thread / 32;
  if (row >= args.rows) return;
  const float gain = args.gain[row];
  for (std::int64_t column = thread % 32; column < args.columns; column += 32)
    args.out[row * args.columns + column] = gain * args.in[row * args.columns + column];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.rows + warps - 1) / warps);
  scale_rows<<<blocks, 32 * warps, 0, stream>>>(args);
}
