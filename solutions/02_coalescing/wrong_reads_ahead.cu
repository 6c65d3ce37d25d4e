// Rejected by: correct — each thread fetches its next word before it uses the one it has: in the
// last row from behind the end of the matrix
#include "contract.cuh"

namespace {

__global__ void scale_rows(Args args) {
  const std::int64_t row = blockIdx.x;
  const float gain = args.gain[row];
  const float* in = args.in + row * args.columns;
  float* out = args.out + row * args.columns;
  float next = in[threadIdx.x];
  for (std::int64_t column = threadIdx.x; column < args.columns; column += blockDim.x) {
    const float x = next;
    next = in[column + blockDim.x];
    out[column] = gain * x;
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  scale_rows<<<static_cast<unsigned>(args.rows), 256, 0, stream>>>(args);
}
