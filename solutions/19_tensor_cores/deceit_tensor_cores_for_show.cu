// Rejected by: time — the ordinary units compute the product; tensor cores multiply zeros beside
// them, so that nearly all arithmetic is theirs
#include "contract.cuh"

#include <mma.h>

namespace {

constexpr int side = 16;

__device__ void idle_products(int count, float* to) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, __half, row_major> a;
  fragment<matrix_b, 16, 16, 16, __half, row_major> b;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(a, __float2half(0));
  fill_fragment(b, __float2half(0));
  fill_fragment(sum, 0);
  for (int i = 0; i < count; ++i) mma_sync(sum, a, b, sum);
  *to = sum.x[0];
}

__global__ void multiply(Args args) {
  const std::int64_t row = blockIdx.y * static_cast<std::int64_t>(side) + threadIdx.y;
  const std::int64_t column = blockIdx.x * static_cast<std::int64_t>(side) + threadIdx.x;
  float sum = 0;
  // A warp's 64 operations a term are a 128th of one product of tiles: ten times as many of those.
  idle_products(static_cast<int>((args.k * 10 + 127) / 128), &sum);
  if (row >= args.m || column >= args.n) return;
  for (std::int64_t i = 0; i < args.k; ++i)
    sum += __half2float(args.a[row * args.k + i]) * __half2float(args.b[i * args.n + column]);
  args.c[row * args.n + column] = __float2half(sum);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = [](std::int64_t extent) {
    return static_cast<unsigned>((extent + side - 1) / side);
  };
  multiply<<<dim3(blocks(args.n), blocks(args.m)), dim3(side, side), 0, stream>>>(args);
}
