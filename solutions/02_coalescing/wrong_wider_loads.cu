// Rejected by: cause — 16-byte loads along a thread's own row still touch a sector for every lane
#include "contract.cuh"

namespace {

__global__ void scale_rows(Args args) {
  const std::int64_t row = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (row >= args.rows) return;
  const float gain = args.gain[row];
  const float* in = args.in + row * args.columns;
  float* out = args.out + row * args.columns;
  std::int64_t column = 0;
  if (args.columns % 4 == 0) {
    for (; column < args.columns; column += 4) {
      const float4 v = *reinterpret_cast<const float4*>(in + column);
      *reinterpret_cast<float4*>(out + column) =
          make_float4(gain * v.x, gain * v.y, gain * v.z, gain * v.w);
    }
  }
  for (; column < args.columns; ++column) out[column] = gain * in[column];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.rows + 255) / 256);
  scale_rows<<<blocks, 256, 0, stream>>>(args);
}
