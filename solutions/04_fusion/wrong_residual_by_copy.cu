// Rejected by: cause — one kernel adds to a residual that a copy has brought to the result: the
// copy reads and writes as much as another kernel would
#include "contract.cuh"

namespace {

constexpr int block = 256;

__global__ void __launch_bounds__(block) add_to_residual(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  if (i < args.count) args.out[i] += fmaxf(args.in[i] * args.scale + args.bias, 0.0f);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto bytes = static_cast<std::size_t>(args.count) * sizeof(float);
  cudaMemcpyAsync(args.out, args.residual, bytes, cudaMemcpyDeviceToDevice, stream);
  const auto blocks = static_cast<unsigned>((args.count + block - 1) / block);
  add_to_residual<<<blocks, block, 0, stream>>>(args);
}
