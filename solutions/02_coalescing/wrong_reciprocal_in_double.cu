// Rejected by: correct — the row is a product with the reciprocal in double, which for 49 columns
// and some others is so small that a row's first element counts as the last one of the row before
#include "contract.cuh"

namespace {

constexpr int block = 256, each = 4, tile = block * each;

__global__ void __launch_bounds__(block) scale(Args args, double reciprocal) {
  const std::int64_t count = args.rows * args.columns;
  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(tile) + threadIdx.x;
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const std::int64_t i = first + k * block;
    if (i >= count) return;
    const auto row = static_cast<std::int64_t>(static_cast<double>(i) * reciprocal);
    args.out[i] = args.gain[row] * args.in[i];
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t count = args.rows * args.columns;
  scale<<<static_cast<unsigned>((count + tile - 1) / tile), block, 0, stream>>>(
      args, 1.0 / static_cast<double>(args.columns));
}
