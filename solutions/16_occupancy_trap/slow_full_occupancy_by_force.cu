// Right, but fails: time or cause — sixteen points a thread, and the registers for full occupancy
// all the same: what finds no register is fetched from memory at each term
#include "contract.cuh"

namespace {

constexpr int points = 16;

__global__ void __maxnreg__(32) evaluate(Args args) {
  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(256 * points) + threadIdx.x;
  float x[points], value[points] = {};
#pragma unroll
  for (int p = 0; p < points; ++p)
    x[p] = first + p * 256 < args.count ? args.points[first + p * 256] : 0;
  for (int k = args.terms - 1; k >= 0; --k) {
    const float coefficient = args.coefficients[k];
#pragma unroll
    for (int p = 0; p < points; ++p) value[p] = value[p] * x[p] + coefficient;
  }
#pragma unroll
  for (int p = 0; p < points; ++p)
    if (first + p * 256 < args.count) args.values[first + p * 256] = value[p];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t tile = 256 * points;
  evaluate<<<static_cast<unsigned>((args.count + tile - 1) / tile), 256, 0, stream>>>(args);
}
