// Ends in: pass — the hint as it stands: a block for each row, its threads side by side
#include "contract.cuh"

#define BLOCK 256

namespace {

__global__ void scale_rows(Args args) {
  const std::int64_t row = blockIdx.x;
  const float gain = args.gain[row];
  for (std::int64_t column = threadIdx.x; column < args.columns; column += blockDim.x) {
    const std::int64_t i = row * args.columns + column;
    args.out[i] = gain * args.in[i];
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  scale_rows<<<static_cast<unsigned>(args.rows), BLOCK, 0, stream>>>(args);
}
