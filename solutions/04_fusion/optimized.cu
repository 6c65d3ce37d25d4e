// One kernel: every value is read once, stays in registers, and is written once.
#include "contract.cuh"

#ifndef BLOCK
#define BLOCK 256  // threads a block
#endif

namespace {

__device__ float fused(float in, float residual, const Args& args) {
  return residual + fmaxf(in * args.scale + args.bias, 0.0f);
}

__global__ void fuse(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  const std::int64_t vectors = args.count / 4;
  if (i < vectors) {
    const float4 in = reinterpret_cast<const float4*>(args.in)[i];
    const float4 residual = reinterpret_cast<const float4*>(args.residual)[i];
    reinterpret_cast<float4*>(args.out)[i] =
        make_float4(fused(in.x, residual.x, args), fused(in.y, residual.y, args),
                    fused(in.z, residual.z, args), fused(in.w, residual.w, args));
  } else if (i == vectors) {
    // One thread takes the last words, fewer than four.
    for (std::int64_t k = 4 * vectors; k < args.count; ++k) {
      args.out[k] = fused(args.in[k], args.residual[k], args);
    }
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t threads = args.count / 4 + 1;
  const auto blocks = static_cast<unsigned>((threads + BLOCK - 1) / BLOCK);
  fuse<<<blocks, BLOCK, 0, stream>>>(args);
}
