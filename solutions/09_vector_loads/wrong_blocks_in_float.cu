// Rejected by: correct — how many blocks there have to be is worked out in float, which rounds the
// number of pixels: of some large pictures the last ones are left
#include "contract.cuh"

#include <cmath>

namespace {

constexpr int threads = 128, stretch = 16 * threads;  // pixels of a block

__global__ void __launch_bounds__(threads) brighten(Args args) {
  const unsigned char* in = args.in + args.header;
  unsigned char* out = args.out + args.header;
  const unsigned more = args.more * 0x01010101u;
  // A block's stretch begins where 16 bytes do; the first block has the pixels before, too.
  const std::int64_t odd = -args.header & 15;
  const std::int64_t at = odd + blockIdx.x * static_cast<std::int64_t>(stretch) + 16 * threadIdx.x;
  if (blockIdx.x == 0 && threadIdx.x < odd && threadIdx.x < args.pixels)
    out[threadIdx.x] = min(in[threadIdx.x] + args.more, 255);
  if (at + 16 <= args.pixels) {
    uint4 four = __ldg(reinterpret_cast<const uint4*>(in + at));
    four = {__vaddus4(four.x, more), __vaddus4(four.y, more), __vaddus4(four.z, more),
            __vaddus4(four.w, more)};
    *reinterpret_cast<uint4*>(out + at) = four;
  } else {
    for (std::int64_t i = at; i < args.pixels; ++i) out[i] = min(in[i] + args.more, 255);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const float blocks = std::ceil(static_cast<float>(args.pixels) / stretch);
  brighten<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(args);
}
