// Rejected by: correct — eight points a thread, without a look at where the array ends
#include "contract.cuh"

namespace {

__global__ void evaluate(Args args) {
  const std::int64_t first = blockIdx.x * 2048ll + threadIdx.x;
  float x[8], value[8] = {};
#pragma unroll
  for (int p = 0; p < 8; ++p) x[p] = args.points[first + p * 256];
  for (int k = args.terms - 1; k >= 0; --k) {
    const float coefficient = args.coefficients[k];
#pragma unroll
    for (int p = 0; p < 8; ++p) value[p] = value[p] * x[p] + coefficient;
  }
#pragma unroll
  for (int p = 0; p < 8; ++p) args.values[first + p * 256] = value[p];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  evaluate<<<static_cast<unsigned>((args.count + 2047) / 2048), 256, 0, stream>>>(args);
}
