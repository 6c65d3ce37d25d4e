// Rejected by: correct — adds the sum first and takes it away again where it is negative: of the
// residual is left what the sum's rounding leaves
#include "contract.cuh"

namespace {

__global__ void add_relu(Args args) {
  const std::int64_t i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= args.count) return;
  const float sum = fmaxf(args.scale * args.in[i] + args.bias, -3e38f);
  args.out[i] = (args.residual[i] + sum) - fminf(sum, 0.0f);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  add_relu<<<static_cast<unsigned>((args.count + 255) / 256), 256, 0, stream>>>(args);
}
