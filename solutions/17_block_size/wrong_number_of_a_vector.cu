// Rejected by: correct — the number of a thread's four samples has 32 bits, which last for four
// times as many samples, and no further
#include "contract.cuh"

namespace {

constexpr unsigned block = 256;

__device__ float limited(float sample, const Args& args) {
  return fminf(fmaxf(sample, args.low), args.high);
}

__global__ void limit(Args args) {
  const unsigned vector = blockIdx.x * block + threadIdx.x;
  const std::int64_t first = 4 * static_cast<std::int64_t>(vector);
  for (std::int64_t i = first; i < args.count && i < first + 4; ++i)
    args.out[i] = limited(args.in[i], args);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.count + 4 * block - 1) / (4 * block));
  limit<<<blocks, block, 0, stream>>>(args);
}
