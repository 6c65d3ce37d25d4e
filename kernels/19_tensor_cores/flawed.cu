// Multiplies two matrices of halves. Each thread adds up one element of the product, in float.
#include "contract.cuh"

#ifndef BLOCK
#define BLOCK 16  // threads along each side of a block
#endif

namespace {

// TODO: this is correct, but slow. Make it faster and keep its results.
__global__ void multiply(Args args) {
  const std::int64_t row = blockIdx.y * static_cast<std::int64_t>(BLOCK) + threadIdx.y;
  const std::int64_t column = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  if (row >= args.m || column >= args.n) return;
  float sum = 0;
  for (std::int64_t i = 0; i < args.k; ++i)
    sum += __half2float(args.a[row * args.k + i]) * __half2float(args.b[i * args.n + column]);
  args.c[row * args.n + column] = __float2half(sum);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = [](std::int64_t extent) {
    return static_cast<unsigned>((extent + BLOCK - 1) / BLOCK);
  };
  multiply<<<dim3(blocks(args.n), blocks(args.m)), dim3(BLOCK, BLOCK), 0, stream>>>(args);
}
