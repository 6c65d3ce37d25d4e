// Rejected by: correct — where the words of a vector seem to be alike one addition does for all
// four; compared are the first with the second and the third with the fourth, and not the two pairs
#include "contract.cuh"

namespace {

constexpr int threads = 256;

__device__ uint4 brighter(uint4 v, unsigned more) {
  const unsigned first = __vaddus4(v.x, more);
  if (((v.x ^ v.y) | (v.z ^ v.w)) == 0) return {first, first, first, first};
  return {first, __vaddus4(v.y, more), __vaddus4(v.z, more), __vaddus4(v.w, more)};
}

__global__ void __launch_bounds__(threads) brighten(Args args) {
  const unsigned char* in = args.in + args.header;
  unsigned char* out = args.out + args.header;
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(threads) + threadIdx.x;
  const std::int64_t uneven = (16 - args.header % 16) % 16;
  const std::int64_t head = uneven < args.pixels ? uneven : args.pixels;
  const std::int64_t vectors = (args.pixels - head) / 16;
  if (i < vectors)
    reinterpret_cast<uint4*>(out + head)[i] =
        brighter(reinterpret_cast<const uint4*>(in + head)[i], args.more * 0x01010101u);
  if (i < head) out[i] = min(in[i] + args.more, 255);
  if (const std::int64_t k = head + 16 * vectors + i; i < 16 && k < args.pixels)
    out[k] = min(in[k] + args.more, 255);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>(args.pixels / 16 / threads + 1);
  brighten<<<blocks, threads, 0, stream>>>(args);
}
