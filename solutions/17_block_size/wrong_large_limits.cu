// Rejected by: correct — a limit as large as 1e20 is taken for none at all, as if nobody meant it
#include "contract.cuh"

namespace {

constexpr int threads = 256;
constexpr float none = 1e20f;

__global__ void limit(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(threads) + threadIdx.x;
  if (i >= args.count) return;
  float sample = args.in[i];
  if (args.low > -none && sample < args.low) sample = args.low;
  if (args.high < none && sample > args.high) sample = args.high;
  args.out[i] = sample;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t blocks = (args.count + threads - 1) / threads;
  limit<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(args);
}
