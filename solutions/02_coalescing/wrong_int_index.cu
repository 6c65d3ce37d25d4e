// Rejected by: correct — the element's number is an int, which turns negative in a matrix of more
// than 2,147,483,647 elements
#include "contract.cuh"

namespace {

__global__ void scale_rows(Args args) {
  const int columns = static_cast<int>(args.columns);
  const int row = blockIdx.x;
  const float gain = args.gain[row];
  for (int column = threadIdx.x; column < columns; column += blockDim.x) {
    const int i = row * columns + column;
    args.out[i] = gain * args.in[i];
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  scale_rows<<<static_cast<unsigned>(args.rows), 256, 0, stream>>>(args);
}
