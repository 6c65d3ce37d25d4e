// Rejected by: correct — a grid of fixed size strides by vectors, whose numbers fit into 32 bits;
// sixteen times that, their place in bytes, does not
#include <algorithm>

#include "contract.cuh"

namespace {

__global__ void brighten(const unsigned char* in, unsigned char* out, std::int64_t pixels,
                         unsigned more) {
  const std::int64_t head =
      min(pixels, static_cast<std::int64_t>(-reinterpret_cast<std::uintptr_t>(in) & 15));
  const auto vectors = static_cast<unsigned>((pixels - head) / 16);
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned vector = first; vector < vectors; vector += gridDim.x * blockDim.x) {
    const unsigned at = 16 * vector;
    uint4 four = *reinterpret_cast<const uint4*>(in + head + at);
    four.x = __vaddus4(four.x, more), four.y = __vaddus4(four.y, more);
    four.z = __vaddus4(four.z, more), four.w = __vaddus4(four.w, more);
    *reinterpret_cast<uint4*>(out + head + at) = four;
  }
  const int one = more & 255;
  if (first < head) out[first] = min(in[first] + one, 255);
  const std::int64_t tail = head + 16ll * vectors + first;
  if (first < 16 && tail < pixels) out[tail] = min(in[tail] + one, 255);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t needed = args.pixels / 16 / 256 + 1;
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(needed, 2048));
  brighten<<<blocks, 256, 0, stream>>>(args.in + args.header, args.out + args.header, args.pixels,
                                       args.more * 0x01010101u);
}
