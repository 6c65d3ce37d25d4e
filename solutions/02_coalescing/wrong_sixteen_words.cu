// Rejected by: correct — a thread keeps its 16 words of a row in registers, which is a row of 4,096
// at most
#include "contract.cuh"

#define BLOCK 256

namespace {

__global__ void scale_rows(Args args) {
  const std::int64_t row = blockIdx.x;
  const float gain = args.gain[row];
  float words[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    const std::int64_t column = k * BLOCK + threadIdx.x;
    if (column < args.columns) words[k] = args.in[row * args.columns + column];
  }
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    const std::int64_t column = k * BLOCK + threadIdx.x;
    if (column < args.columns) args.out[row * args.columns + column] = gain * words[k];
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  scale_rows<<<static_cast<unsigned>(args.rows), BLOCK, 0, stream>>>(args);
}
