// Multiplies every row of a matrix by that row's gain. One thread takes care of one row.
#include "contract.cuh"

namespace {

/* This is correct, but slow.
   Make it faster and keep its results. */
__global__ void scale_rows(Args args) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= args.rows) return;
  const float gain = args.gain[row];
  for (int column = 0; column < args.columns; ++column) {
    const int i = row * args.columns + column;
    args.out[i] = gain * args.in[i];
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.rows + 255) / 256);
  scale_rows<<<blocks, 256, 0, stream>>>(args);
}
