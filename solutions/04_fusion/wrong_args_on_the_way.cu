// Rejected by: correct — a host function in the stream reads Args, which are gone when it runs
#include "contract.cuh"

namespace {

struct Scalars {
  float scale, bias;
};

struct Delivery {
  const Args* from;
  Scalars* to;
};

__global__ void fuse(Args args, const Scalars* scalars) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < args.count)
    args.out[i] = args.residual[i] + fmaxf(scalars->scale * args.in[i] + scalars->bias, 0.0f);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static Delivery delivery;
  if (!delivery.to) cudaMallocHost(&delivery.to, sizeof(Scalars));
  delivery.from = &args;
  cudaLaunchHostFunc(
      stream,
      [](void* data) {
        const auto* it = static_cast<const Delivery*>(data);
        *it->to = {it->from->scale, it->from->bias};
      },
      &delivery);
  fuse<<<static_cast<unsigned>((args.count + 255) / 256), 256, 0, stream>>>(args, delivery.to);
}
