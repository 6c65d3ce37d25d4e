// Ends in: pass — a warp for each row, eight rows in a block, one word a thread
#include "contract.cuh"

namespace {

__global__ void scale_rows(Args args) {
  const int lane = threadIdx.x % 32;
  const std::int64_t row = blockIdx.x * 8ll + threadIdx.x / 32;
  if (row >= args.rows) return;
  const float* in = args.in + row * args.columns;
  float* out = args.out + row * args.columns;
  for (std::int64_t column = lane; column < args.columns; column += 32)
    out[column] = args.gain[row] * in[column];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  scale_rows<<<static_cast<unsigned>((args.rows + 7) / 8), 256, 0, stream>>>(args);
}
