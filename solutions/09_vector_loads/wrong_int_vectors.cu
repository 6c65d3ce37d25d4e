// Rejected by: correct — counts pixels in 64 bits, and the vectors of 16 of them in an int
#include <algorithm>

#include "contract.cuh"

namespace {

constexpr int block = 256;

__device__ unsigned char brighter(unsigned char pixel, unsigned char more) {
  return min(pixel + more, 255);
}

__global__ void brighten(Args args, std::int64_t head, int vectors) {
  const unsigned char* in = args.in + args.header;
  unsigned char* out = args.out + args.header;
  const std::int64_t thread = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  const std::int64_t tail = head + 16 * static_cast<std::int64_t>(vectors);
  if (thread < head) out[thread] = brighter(in[thread], args.more);
  if (tail + thread < args.pixels) out[tail + thread] = brighter(in[tail + thread], args.more);
  if (thread >= vectors) return;
  const unsigned more = args.more * 0x01010101u;
  uint4 v = reinterpret_cast<const uint4*>(in + head)[thread];
  v.x = __vaddus4(v.x, more);
  v.y = __vaddus4(v.y, more);
  v.z = __vaddus4(v.z, more);
  v.w = __vaddus4(v.w, more);
  reinterpret_cast<uint4*>(out + head)[thread] = v;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t head = std::min(-args.header & 15, args.pixels);
  const int vectors = static_cast<int>((args.pixels - head) / 16);
  brighten<<<static_cast<unsigned>(vectors / block + 1), block, 0, stream>>>(args, head, vectors);
}
