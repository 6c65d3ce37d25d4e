// Rejected by: cause — two points a thread: a fetch serves two multiply-adds, which is not enough
#include "contract.cuh"

#define BLOCK 256

namespace {

constexpr int points = 2;

__global__ void evaluate(Args args) {
  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(BLOCK * points) + threadIdx.x;
  float x[points], value[points] = {};
#pragma unroll
  for (int p = 0; p < points; ++p)
    x[p] = first + p * BLOCK < args.count ? args.points[first + p * BLOCK] : 0;
  for (int k = args.terms - 1; k >= 0; --k) {
    const float coefficient = args.coefficients[k];
#pragma unroll
    for (int p = 0; p < points; ++p) value[p] = value[p] * x[p] + coefficient;
  }
#pragma unroll
  for (int p = 0; p < points; ++p)
    if (first + p * BLOCK < args.count) args.values[first + p * BLOCK] = value[p];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t tile = BLOCK * points;
  evaluate<<<static_cast<unsigned>((args.count + tile - 1) / tile), BLOCK, 0, stream>>>(args);
}
