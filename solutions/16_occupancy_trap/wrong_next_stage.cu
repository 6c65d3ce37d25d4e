// Rejected by: correct — the coefficients come in stages, with a barrier between any two of one
// turn, and none before the first stage of the next turn
#include "contract.cuh"

namespace {

constexpr int block = 256, each = 8, stage = 128;

__global__ void evaluate(const float* points, const float* coefficients, float* values,
                         std::int64_t count, int terms) {
  __shared__ float c[stage];
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * block * each;
  const int last = (terms - 1) / stage;
  for (std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * block * each; at < count;
       at += stride) {
    float x[each], sum[each];
    for (int p = 0; p < each; ++p) {
      const std::int64_t i = at + p * block + threadIdx.x;
      x[p] = i < count ? points[i] : 0.0f;
      sum[p] = 0.0f;
    }
    for (int s = last; s >= 0; --s) {
      if (s < last) __syncthreads();
      const int here = s == last ? terms - last * stage : stage;
      if (threadIdx.x < here) c[threadIdx.x] = coefficients[s * stage + threadIdx.x];
      __syncthreads();
      for (int k = here - 1; k >= 0; --k)
        for (int p = 0; p < each; ++p) sum[p] = fmaf(sum[p], x[p], c[k]);
    }
    for (int p = 0; p < each; ++p)
      if (const std::int64_t i = at + p * block + threadIdx.x; i < count) values[i] = sum[p];
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  evaluate<<<1056, block, 0, stream>>>(args.points, args.coefficients, args.values, args.count,
                                       args.terms);
}
