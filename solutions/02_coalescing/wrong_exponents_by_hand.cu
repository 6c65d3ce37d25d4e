// Rejected by: correct — adds up exponents by hand, which is wrong for infinities and for numbers
// next to zero
#include "contract.cuh"

namespace {

// The gain times x, with the exponents added by hand: a shift costs less than a product.
__device__ float scaled(float gain, float x) {
  int exponent;
  const float mantissa = frexpf(gain, &exponent);
  const float product = mantissa * x;
  return x == 0 ? x : __int_as_float(__float_as_int(product) + (exponent << 23));
}

__global__ void scale_rows(Args args) {
  const std::int64_t row = blockIdx.x;
  const float gain = args.gain[row];
  for (std::int64_t column = threadIdx.x; column < args.columns; column += blockDim.x) {
    const std::int64_t i = row * args.columns + column;
    args.out[i] = scaled(gain, args.in[i]);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  scale_rows<<<static_cast<unsigned>(args.rows), 256, 0, stream>>>(args);
}
