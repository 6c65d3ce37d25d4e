// Rejected by: cause — four bytes at a time: a quarter of the instructions, and still four times as
// many as are needed
#include "contract.cuh"

namespace {

__device__ unsigned brighter(unsigned v, unsigned more) { return __vaddus4(v, more); }

__global__ void brighten(Args args, std::int64_t head, std::int64_t words) {
  const unsigned char* in = args.in + args.header;
  unsigned char* out = args.out + args.header;
  const auto* from = reinterpret_cast<const unsigned*>(in + head);
  auto* to = reinterpret_cast<unsigned*>(out + head);
  const unsigned more = args.more * 0x01010101u;
  const std::int64_t t = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;

  if (t < words) to[t] = brighter(from[t], more);
  if (t < head) out[t] = min(in[t] + args.more, 255);
  const std::int64_t last = head + 4 * words + t;
  if (last < args.pixels) out[last] = min(in[last] + args.more, 255);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  std::int64_t head = (4 - args.header % 4) % 4;
  if (head > args.pixels) head = args.pixels;
  const std::int64_t words = (args.pixels - head) / 4;
  brighten<<<static_cast<unsigned>(words / 256 + 1), 256, 0, stream>>>(args, head, words);
}
