// 16 bytes a thread, four pixels an instruction. What does not fill 16 bytes goes one by one.
#include "contract.cuh"

#ifndef BLOCK
#define BLOCK 256  // threads a block
#endif

namespace {

__device__ unsigned char brighter(unsigned char pixel, unsigned char more) {
  return min(pixel + more, 255);
}

__global__ void __launch_bounds__(BLOCK) brighten(Args args) {
  const unsigned char* in = args.in + args.header;
  unsigned char* out = args.out + args.header;
  const std::int64_t thread = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;

  // A header of any length leaves the first pixels between two 16-byte boundaries. Both pictures
  // have the same header, so that what is aligned in one is aligned in the other.
  const std::int64_t head = min(-args.header & 15, args.pixels);
  const std::int64_t vectors = (args.pixels - head) / 16;
  const std::int64_t tail = head + 16 * vectors;
  if (thread < head) out[thread] = brighter(in[thread], args.more);
  if (tail + thread < args.pixels) out[tail + thread] = brighter(in[tail + thread], args.more);

  if (thread >= vectors) return;
  const unsigned more = args.more * 0x01010101u;  // in each of four bytes
  uint4 v = __ldg(reinterpret_cast<const uint4*>(in + head) + thread);
  v.x = __vaddus4(v.x, more);  // four bytes, each added and cut off at 255
  v.y = __vaddus4(v.y, more);
  v.z = __vaddus4(v.z, more);
  v.w = __vaddus4(v.w, more);
  reinterpret_cast<uint4*>(out + head)[thread] = v;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  // One thread for each vector, and enough for head and tail, which have up to 15 pixels each.
  const std::int64_t threads = args.pixels / 16 + 16;
  brighten<<<static_cast<unsigned>((threads + BLOCK - 1) / BLOCK), BLOCK, 0, stream>>>(args);
}
