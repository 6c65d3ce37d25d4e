// Rejected by: correct — the scalars are read from page-locked memory, in which the next launch
// writes its own while this one may not have begun
#include "contract.cuh"

namespace {

struct Scalars {
  float scale, bias;
};

__global__ void fuse(Args args, const Scalars* scalars) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < args.count)
    args.out[i] = args.residual[i] + fmaxf(scalars->scale * args.in[i] + scalars->bias, 0.0f);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static Scalars* staged = nullptr;
  if (!staged) cudaMallocHost(&staged, sizeof(Scalars));
  *staged = {args.scale, args.bias};
  fuse<<<static_cast<unsigned>((args.count + 255) / 256), 256, 0, stream>>>(args, staged);
}
