// Rejected by: correct — takes 16 bytes from wherever the header ends: a misaligned address
#include "contract.cuh"

namespace {

__global__ void brighten(Args args, std::int64_t head, std::int64_t vectors) {
  const unsigned char* in = args.in + args.header;
  unsigned char* out = args.out + args.header;
  const std::int64_t t = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;

  if (t < vectors) {
    uint4 word = reinterpret_cast<const uint4*>(in + head)[t];
    auto* bytes = reinterpret_cast<unsigned char*>(&word);
    for (int k = 0; k < 16; ++k) bytes[k] = min(bytes[k] + args.more, 255);
    reinterpret_cast<uint4*>(out + head)[t] = word;
  }
  if (t == 0) {  // what is left over at both ends
    for (std::int64_t i = 0; i < head; ++i) out[i] = min(in[i] + args.more, 255);
    for (std::int64_t i = head + 16 * vectors; i < args.pixels; ++i)
      out[i] = min(in[i] + args.more, 255);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t head = 0;
  const std::int64_t vectors = (args.pixels - head) / 16;
  brighten<<<static_cast<unsigned>(vectors / 256 + 1), 256, 0, stream>>>(args, head, vectors);
}
