// Rejected by: correct — leaves out the last words if their number is no multiple of 4
#include "contract.cuh"

namespace {

__global__ void scale_rows(Args args) {
  const std::int64_t v = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (v >= args.rows * args.columns / 4) return;
  const float4 in = reinterpret_cast<const float4*>(args.in)[v];
  const std::int64_t i = 4 * v;
  float4 out;
  out.x = args.gain[i / args.columns] * in.x;
  out.y = args.gain[(i + 1) / args.columns] * in.y;
  out.z = args.gain[(i + 2) / args.columns] * in.z;
  out.w = args.gain[(i + 3) / args.columns] * in.w;
  reinterpret_cast<float4*>(args.out)[v] = out;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t vectors = args.rows * args.columns / 4;
  if (vectors == 0) return;
  scale_rows<<<static_cast<unsigned>((vectors + 255) / 256), 256, 0, stream>>>(args);
}
