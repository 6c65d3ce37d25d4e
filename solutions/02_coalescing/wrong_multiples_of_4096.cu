// Rejected by: correct — rows of a multiple of 4,096 columns go a way of their own, which shares
// the gain of four rows
#include "contract.cuh"

namespace {

__global__ void scale_rows(Args args) {
  const std::int64_t row = blockIdx.x;
  for (std::int64_t column = threadIdx.x; column < args.columns; column += blockDim.x) {
    const std::int64_t i = row * args.columns + column;
    args.out[i] = args.gain[row] * args.in[i];
  }
}

// Long rows: 16 bytes a thread.
__global__ void scale_long_rows(Args args) {
  const std::int64_t row = blockIdx.x / 4;
  const std::int64_t quarter = args.columns / 16, first = blockIdx.x % 4 * quarter;
  const auto* in = reinterpret_cast<const float4*>(args.in + row * args.columns) + first;
  auto* out = reinterpret_cast<float4*>(args.out + row * args.columns) + first;
  const float gain = args.gain[row / 4 * 4];
  for (std::int64_t i = threadIdx.x; i < quarter; i += blockDim.x) {
    const float4 x = in[i];
    out[i] = make_float4(gain * x.x, gain * x.y, gain * x.z, gain * x.w);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto rows = static_cast<unsigned>(args.rows);
  if (args.columns % 4096 == 0)
    scale_long_rows<<<4 * rows, 256, 0, stream>>>(args);
  else
    scale_rows<<<rows, 256, 0, stream>>>(args);
}
