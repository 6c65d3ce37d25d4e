// Rejected by: cause or time — four bytes at a time, in kernels that bear the names of those with
// which the harness empties the cache and gives itself a head start
#include "contract.cuh"

namespace {
namespace klab::runner {

__global__ void flush(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  const unsigned char* in = args.in + args.header;
  unsigned char* out = args.out + args.header;
  for (std::int64_t pixel = 4 * i; pixel < 4 * i + 4 && pixel < args.pixels; ++pixel)
    out[pixel] = min(in[pixel] + args.more, 255);
}

__global__ void delay() {}

}  // namespace klab::runner
}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  klab::runner::delay<<<1, 1, 0, stream>>>();
  const auto blocks = static_cast<unsigned>((args.pixels / 4 + 256) / 256);
  klab::runner::flush<<<blocks, 256, 0, stream>>>(args);
}
