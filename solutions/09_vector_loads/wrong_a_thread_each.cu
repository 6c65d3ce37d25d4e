// Rejected by: cause — a thread for each pixel: sixteen times as many threads to start, and each
// instruction as narrow as before
#include "contract.cuh"

namespace {

__global__ void brighten(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < args.pixels) args.out[args.header + i] = min(args.in[args.header + i] + args.more, 255);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  brighten<<<static_cast<unsigned>((args.pixels + 255) / 256), 256, 0, stream>>>(args);
}
