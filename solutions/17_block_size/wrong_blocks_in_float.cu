// Rejected by: correct — the number of blocks by way of float, which has 24 bits: of some large
// signals the last samples are left
#include "contract.cuh"

namespace {

constexpr unsigned threads = 512;

__global__ void __launch_bounds__(threads) limit(Args args) {
  const std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x;
  if (i >= args.count) return;
  args.out[i] = fminf(args.high, fmaxf(args.low, args.in[i]));
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>(ceilf(args.count / static_cast<float>(threads)));
  limit<<<blocks, threads, 0, stream>>>(args);
}
