// Rejected by: correct — two points in each multiply-add of half-precision numbers: eleven bits do
// not carry five hundred terms
#include "contract.cuh"

#include <cuda_fp16.h>

namespace {

__global__ void evaluate(Args args) {
  const std::int64_t i = 2 * (blockIdx.x * 256ll + threadIdx.x);
  if (i >= args.count) return;
  const bool pair = i + 1 < args.count;
  const __half2 x = __floats2half2_rn(args.points[i], pair ? args.points[i + 1] : 0.0f);
  __half2 value = __float2half2_rn(0.0f);
  for (int k = args.terms - 1; k >= 0; --k)
    value = __hfma2(value, x, __float2half2_rn(args.coefficients[k]));
  args.values[i] = __low2float(value);
  if (pair) args.values[i + 1] = __high2float(value);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  evaluate<<<static_cast<unsigned>((args.count + 511) / 512), 256, 0, stream>>>(args);
}
