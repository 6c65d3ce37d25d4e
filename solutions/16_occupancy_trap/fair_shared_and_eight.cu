// Ends in: pass — the coefficients in shared memory first, then eight neighbouring points a thread
#include "contract.cuh"

namespace {

__global__ void evaluate(const float* points, const float* coefficients, float* values,
                         std::int64_t count, int terms) {
  __shared__ float c[most_terms];
  for (int k = threadIdx.x; k < terms; k += blockDim.x) c[k] = coefficients[k];
  __syncthreads();
  const std::int64_t first = 8 * (blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x);
  const int mine = first + 8 <= count ? 8 : first < count ? static_cast<int>(count - first) : 0;
  float x[8], sum[8];
  for (int p = 0; p < 8; ++p) {
    x[p] = p < mine ? points[first + p] : 0.0f;
    sum[p] = c[terms - 1];
  }
  for (int k = terms - 2; k >= 0; k--)
    for (int p = 0; p < 8; ++p) sum[p] = fmaf(sum[p], x[p], c[k]);
  for (int p = 0; p < 8; ++p)
    if (p < mine) values[first + p] = sum[p];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.count + 2047) / 2048);
  evaluate<<<blocks, 256, 0, stream>>>(args.points, args.coefficients, args.values, args.count,
                                       args.terms);
}
