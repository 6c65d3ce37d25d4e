// Rejected by: correct — the row of an element is a quotient of floats, whose 24 bits take the end
// of a row for the beginning of the next one, in matrices of more than eight million elements
#include "contract.cuh"

namespace {

__global__ void scale(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= args.rows * args.columns) return;
  const float quotient = static_cast<float>(i) / static_cast<float>(args.columns);
  const std::int64_t row = min(static_cast<std::int64_t>(quotient), args.rows - 1);
  args.out[i] = args.gain[row] * args.in[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.rows * args.columns + 255) / 256);
  scale<<<blocks, 256, 0, stream>>>(args);
}
