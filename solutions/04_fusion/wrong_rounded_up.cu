// Rejected by: correct — four words a thread, and the last ones read and written behind the end of
// the arrays
#include "contract.cuh"

#define BLOCK 256

namespace {

__global__ void apply(const float4* in, const float4* residual, float4* out, Args a) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  if (i >= (a.count + 3) / 4) return;
  const float4 x = in[i], r = residual[i];
  out[i] = make_float4(
      r.x + fmaxf(a.scale * x.x + a.bias, 0.0f), r.y + fmaxf(a.scale * x.y + a.bias, 0.0f),
      r.z + fmaxf(a.scale * x.z + a.bias, 0.0f), r.w + fmaxf(a.scale * x.w + a.bias, 0.0f));
}

}  // namespace

void launch(const Args& a, cudaStream_t stream) {
  const auto* in = reinterpret_cast<const float4*>(a.in);
  const auto* residual = reinterpret_cast<const float4*>(a.residual);
  const auto blocks = static_cast<unsigned>((a.count / 4 + BLOCK) / BLOCK);
  apply<<<blocks, BLOCK, 0, stream>>>(in, residual, reinterpret_cast<float4*>(a.out), a);
}
