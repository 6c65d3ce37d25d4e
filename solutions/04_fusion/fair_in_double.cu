// Ends in: pass — computed in double and rounded once, so that a product beyond the largest float
// is a number like others
#include "contract.cuh"

namespace {

constexpr int threads = 256;

__global__ void fuse(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(threads) + threadIdx.x;
  if (i >= args.count) return;
  const double scaled = fma(static_cast<double>(args.scale), static_cast<double>(args.in[i]),
                            static_cast<double>(args.bias));
  args.out[i] = static_cast<float>(args.residual[i] + fmax(scaled, 0.0));
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t blocks = (args.count + threads - 1) / threads;
  fuse<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(args);
}
