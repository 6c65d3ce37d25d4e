// Rejected by: correct — the threads left over in the last row write behind the end of the matrix
#include "contract.cuh"

namespace {

__global__ void scale_rows(Args args) {
  const std::int64_t row = blockIdx.x;
  const float gain = args.gain[row];
  for (std::int64_t column = threadIdx.x; column - threadIdx.x < args.columns;
       column += blockDim.x) {
    const std::int64_t i = row * args.columns + column;
    const std::int64_t last = args.rows * args.columns - 1;
    const float value = gain * args.in[min(i, last)];
    if (column < args.columns || i > last) args.out[i] = value;
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  scale_rows<<<static_cast<unsigned>(args.rows), 32, 0, stream>>>(args);
}
