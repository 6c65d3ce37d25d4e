// Rejected by: correct — the number of a sample is an unsigned int, which begins anew at
// 4,294,967,296: the samples beyond stay as they were
#include "contract.cuh"

namespace {

constexpr unsigned threads = 256, each = 8;

__global__ void __launch_bounds__(threads) limit(Args args) {
  const unsigned first = blockIdx.x * threads * each + threadIdx.x;
#pragma unroll
  for (unsigned k = 0; k < each; ++k)
    if (const unsigned i = first + k * threads; i < args.count)
      args.out[i] = fminf(args.high, fmaxf(args.low, args.in[i]));
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t samples = threads * each;  // of a block
  limit<<<static_cast<unsigned>((args.count + samples - 1) / samples), threads, 0, stream>>>(args);
}
