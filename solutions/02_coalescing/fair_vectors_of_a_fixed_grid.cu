// Ends in: pass — the matrix as one row of float4, strided over by 65,536 blocks at most; the first
// block takes what fills no vector
#include "contract.cuh"

#include <algorithm>

namespace {

constexpr int block = 256;

__device__ float scaled(const Args& args, std::int64_t i, float value) {
  return args.gain[i / args.columns] * value;
}

__global__ void scale(Args args) {
  const std::int64_t count = args.rows * args.columns, vectors = count / 4;
  const auto* in = reinterpret_cast<const float4*>(args.in);
  auto* out = reinterpret_cast<float4*>(args.out);
  const std::int64_t stride = std::int64_t{gridDim.x} * block;
  for (std::int64_t v = std::int64_t{blockIdx.x} * block + threadIdx.x; v < vectors; v += stride) {
    const float4 x = in[v];
    out[v] = make_float4(scaled(args, 4 * v, x.x), scaled(args, 4 * v + 1, x.y),
                         scaled(args, 4 * v + 2, x.z), scaled(args, 4 * v + 3, x.w));
  }
  if (blockIdx.x == 0 && threadIdx.x < count % 4) {
    const std::int64_t i = 4 * vectors + threadIdx.x;
    args.out[i] = scaled(args, i, args.in[i]);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t wanted = (args.rows * args.columns / 4 + block - 1) / block;
  scale<<<static_cast<unsigned>(std::clamp<std::int64_t>(wanted, 1, 65536)), block, 0, stream>>>(
      args);
}
