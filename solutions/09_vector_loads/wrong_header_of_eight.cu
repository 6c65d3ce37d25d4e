// Rejected by: correct — a way for each alignment of the first pixel; in the one for headers of 8,
// 24, 40 bytes, the last pixels are forgotten
#include "contract.cuh"

namespace {

__device__ std::int64_t first_of_thread() {
  return blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
}

template <class Vector>
__global__ void brighten(Args args, bool rest) {
  constexpr std::int64_t bytes = sizeof(Vector);
  const unsigned more = args.more * 0x01010101u;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const unsigned char* in = args.in + args.header;
  unsigned char* out = args.out + args.header;
  const std::int64_t vectors = args.pixels / bytes;
  for (std::int64_t i = first_of_thread(); i < vectors; i += stride) {
    union {
      Vector vector;
      unsigned words[bytes / 4];
    } pixels = {reinterpret_cast<const Vector*>(in)[i]};
    for (unsigned& word : pixels.words) word = __vaddus4(word, more);
    reinterpret_cast<Vector*>(out)[i] = pixels.vector;
  }
  if (!rest) return;
  for (std::int64_t i = vectors * bytes + first_of_thread(); i < args.pixels; i += stride)
    out[i] = min(in[i] + args.more, 255);
}

__global__ void brighten_bytes(Args args) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = first_of_thread(); i < args.pixels; i += stride)
    args.out[args.header + i] = min(args.in[args.header + i] + args.more, 255);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (args.header % 16 == 0)
    brighten<uint4><<<4096, 256, 0, stream>>>(args, true);
  else if (args.header % 8 == 0)
    brighten<uint2><<<4096, 256, 0, stream>>>(args, false);
  else if (args.header % 4 == 0)
    brighten<unsigned><<<4096, 256, 0, stream>>>(args, true);
  else
    brighten_bytes<<<4096, 256, 0, stream>>>(args);
}
