// Rejected by: cause — all but the flaw is mended: 16 loads of a thread under way at once, a full
// multiprocessor, loads past the aliasing of `in` and `out`; still a byte at a time
#include "contract.cuh"

namespace {

constexpr int block = 256, turns = 16;

__global__ void __launch_bounds__(block, 8) brighten(Args args) {
  const unsigned char* in = args.in + args.header;
  unsigned char* out = args.out + args.header;
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(turns * block) + threadIdx.x;
  int pixel[turns];
#pragma unroll
  for (int k = 0; k < turns; ++k)
    if (i + k * block < args.pixels) pixel[k] = __ldg(in + i + k * block);
#pragma unroll
  for (int k = 0; k < turns; ++k)
    if (i + k * block < args.pixels) out[i + k * block] = min(pixel[k] + args.more, 255);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.pixels + turns * block - 1) / (turns * block));
  brighten<<<blocks, block, 0, stream>>>(args);
}
