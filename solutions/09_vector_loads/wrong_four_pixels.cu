// Rejected by: cause — four neighbouring pixels a thread, loaded before the first is stored: more
// under way, and just as many instructions
#include "contract.cuh"

namespace {

__global__ void brighten(Args args) {
  const unsigned char* in = args.in + args.header;
  unsigned char* out = args.out + args.header;
  const std::int64_t i = 4 * (blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x);
  int pixel[4];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (i + k < args.pixels) pixel[k] = __ldg(in + i + k);
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (i + k < args.pixels) out[i + k] = min(pixel[k] + args.more, 255);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  brighten<<<static_cast<unsigned>((args.pixels + 1023) / 1024), 256, 0, stream>>>(args);
}
