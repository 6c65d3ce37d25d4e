// Rejected by: correct — the place of an element of b is an int, which turns negative where k * n
// is beyond 2,147,483,647
#include "contract.cuh"

namespace {

constexpr int side = 16;

__global__ void multiply(Args args) {
  const std::int64_t row = blockIdx.y * static_cast<std::int64_t>(side) + threadIdx.y;
  const std::int64_t column = blockIdx.x * static_cast<std::int64_t>(side) + threadIdx.x;
  if (row >= args.m || column >= args.n) return;
  const __half* a = args.a + row * args.k;
  float sum = 0;
  int place = static_cast<int>(column);
  for (std::int64_t i = 0; i < args.k; ++i, place += static_cast<int>(args.n))
    sum += __half2float(a[i]) * __half2float(args.b[place]);
  args.c[row * args.n + column] = __float2half(sum);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 blocks(static_cast<unsigned>((args.n + side - 1) / side),
                    static_cast<unsigned>((args.m + side - 1) / side));
  multiply<<<blocks, dim3(side, side), 0, stream>>>(args);
}
