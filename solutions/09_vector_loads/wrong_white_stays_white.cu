// Rejected by: correct — sixteen pixels that are white already are not stored: they get no
// brighter, but the other picture holds there what was in memory before
#include "contract.cuh"

namespace {

constexpr int block = 256;

__device__ unsigned char brighter(unsigned char pixel, unsigned char more) {
  return min(pixel + more, 255);
}

__global__ void __launch_bounds__(block) brighten(Args args) {
  const unsigned char* in = args.in + args.header;
  unsigned char* out = args.out + args.header;
  const std::int64_t thread = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  const std::int64_t head = min(-args.header & 15, args.pixels);
  const std::int64_t vectors = (args.pixels - head) / 16;
  const std::int64_t tail = head + 16 * vectors;
  if (thread < head) out[thread] = brighter(in[thread], args.more);
  if (tail + thread < args.pixels) out[tail + thread] = brighter(in[tail + thread], args.more);

  if (thread >= vectors) return;
  const unsigned more = args.more * 0x01010101u;
  uint4 v = __ldg(reinterpret_cast<const uint4*>(in + head) + thread);
  if ((v.x & v.y & v.z & v.w) == 0xffffffffu) return;  // white stays white
  v.x = __vaddus4(v.x, more);
  v.y = __vaddus4(v.y, more);
  v.z = __vaddus4(v.z, more);
  v.w = __vaddus4(v.w, more);
  reinterpret_cast<uint4*>(out + head)[thread] = v;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t threads = args.pixels / 16 + 16;
  brighten<<<static_cast<unsigned>((threads + block - 1) / block), block, 0, stream>>>(args);
}
