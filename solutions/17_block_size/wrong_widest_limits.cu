// Rejected by: correct — between the lowest and the highest float nothing seems to be limited, so
// the signal is copied; infinite samples lie beyond them
#include <cfloat>

#include "contract.cuh"

namespace {

constexpr int threads = 256;

__global__ void __launch_bounds__(threads) limit(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(threads) + threadIdx.x;
  if (i < args.count) args.out[i] = fminf(fmaxf(args.in[i], args.low), args.high);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (args.low <= -FLT_MAX && args.high >= FLT_MAX) {
    cudaMemcpyAsync(args.out, args.in, static_cast<std::size_t>(args.count) * sizeof(float),
                    cudaMemcpyDeviceToDevice, stream);
    return;
  }
  const auto blocks = static_cast<unsigned>((args.count + threads - 1) / threads);
  limit<<<blocks, threads, 0, stream>>>(args);
}
