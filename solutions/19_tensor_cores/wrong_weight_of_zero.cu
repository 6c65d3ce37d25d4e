// Rejected by: correct or cause — four terms a turn; behind the last one the last is read again and
// multiplied by zero, which makes NaN of an infinite one
#include "contract.cuh"

namespace {

constexpr int together = 4;

__global__ void multiply(Args args) {
  const std::int64_t i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= args.m * args.n) return;
  const std::int64_t row = i / args.n, column = i % args.n;
  float sum = 0;
  for (std::int64_t first = 0; first < args.k; first += together)
    for (int t = 0; t < together; ++t) {
      const bool there = first + t < args.k;
      const std::int64_t j = there ? first + t : args.k - 1;
      const float weight = there ? 1.0f : 0.0f;
      sum += weight * __half2float(args.a[row * args.k + j]) *
             __half2float(args.b[j * args.n + column]);
    }
  args.c[i] = __float2half(sum);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  multiply<<<static_cast<unsigned>((args.m * args.n + 255) / 256), 256, 0, stream>>>(args);
}
