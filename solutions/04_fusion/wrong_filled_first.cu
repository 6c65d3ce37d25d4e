// Rejected by: cause — the result is set to zero before the one kernel writes it: a third of the
// task's traffic once more, by a fill that no counter of kernels sees
#include "contract.cuh"

namespace {

constexpr int block = 256;

__global__ void __launch_bounds__(block) fuse(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  if (i < args.count)
    args.out[i] = args.residual[i] + fmaxf(args.in[i] * args.scale + args.bias, 0.0f);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto bytes = static_cast<std::size_t>(args.count) * sizeof(float);
  cudaMemsetAsync(args.out, 0, bytes, stream);
  fuse<<<static_cast<unsigned>((args.count + block - 1) / block), block, 0, stream>>>(args);
}
