// Rejected by: cause — all but the flaw is mended: 32-bit indices, loads and stores with hints, as
// many blocks resident as possible; and four million of them to start
#include "contract.cuh"

namespace {

constexpr int block = 32;

__global__ void __launch_bounds__(block, 32)
    limit(const float* __restrict__ in, float* __restrict__ out, unsigned count, float low,
          float high) {
  const unsigned i = blockIdx.x * block + threadIdx.x;
  if (i < count) __stcg(out + i, fminf(fmaxf(__ldg(in + i), low), high));
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto count = static_cast<unsigned>(args.count);  // signals of up to 16 GB
  limit<<<(count + block - 1) / block, block, 0, stream>>>(args.in, args.out, count, args.low,
                                                           args.high);
}
