// Right, but fails: time — neighbours read neighbours, but 256 warps on a whole GPU have far too
// few loads under way
#include "contract.cuh"

namespace {

__global__ void scale_rows(Args args) {
  for (std::int64_t row = blockIdx.x; row < args.rows; row += gridDim.x) {
    const float gain = args.gain[row];
    for (std::int64_t column = threadIdx.x; column < args.columns; column += blockDim.x) {
      const std::int64_t i = row * args.columns + column;
      args.out[i] = gain * args.in[i];
    }
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>(args.rows < 256 ? args.rows : 256);
  scale_rows<<<blocks, 32, 0, stream>>>(args);
}
