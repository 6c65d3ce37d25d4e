// One warp per row: the lanes read neighbouring words, 16 bytes each, several loads in flight.
#include "contract.cuh"

#ifndef BLOCK
#define BLOCK 256  // threads a block
#endif

namespace {

constexpr int lanes = 32;
constexpr int rows_per_block = BLOCK / lanes;
constexpr int in_flight = 4;  // 16-byte loads that a lane starts before it waits for the first

__device__ float4 operator*(float gain, float4 v) {
  return {gain * v.x, gain * v.y, gain * v.z, gain * v.w};
}

__global__ void __launch_bounds__(BLOCK) scale_rows(Args args) {
  const std::int64_t row =
      blockIdx.x * static_cast<std::int64_t>(rows_per_block) + threadIdx.x / lanes;
  if (row >= args.rows) return;
  const int lane = threadIdx.x % lanes;
  const float gain = args.gain[row];
  const float* in = args.in + row * args.columns;
  float* out = args.out + row * args.columns;

  // A row whose length is no multiple of 4 starts between two 16-byte boundaries: the words before
  // the first boundary and after the last one go one by one.
  const std::int64_t head = min(-(row * args.columns) & 3, args.columns);
  const std::int64_t vectors = (args.columns - head) / 4;
  const std::int64_t tail = head + 4 * vectors;
  if (lane < head) out[lane] = gain * in[lane];
  if (tail + lane < args.columns) out[tail + lane] = gain * in[tail + lane];

  const auto* from = reinterpret_cast<const float4*>(in + head);
  auto* to = reinterpret_cast<float4*>(out + head);
  std::int64_t v = lane;
  for (; v + (in_flight - 1) * lanes < vectors; v += in_flight * lanes) {
    float4 loaded[in_flight];
#pragma unroll
    for (int k = 0; k < in_flight; ++k) loaded[k] = __ldg(from + v + k * lanes);
#pragma unroll
    for (int k = 0; k < in_flight; ++k) __stcg(to + v + k * lanes, gain * loaded[k]);
  }
  for (; v < vectors; v += lanes) __stcg(to + v, gain * __ldg(from + v));
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.rows + rows_per_block - 1) / rows_per_block);
  scale_rows<<<blocks, BLOCK, 0, stream>>>(args);
}
