// Rejected by: cause — the threads of a warp that hold the same value add once for all: with 256
// values few do, and every warp still goes to global memory for each pixel
#include "contract.cuh"

namespace {

__global__ void histogram(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= args.count) return;
  const unsigned value = args.pixels[i];
  const unsigned alike = __match_any_sync(__activemask(), value);
  if (threadIdx.x % 32 == __ffs(static_cast<int>(alike)) - 1)
    atomicAdd(&args.counts[value], static_cast<unsigned>(__popc(alike)));
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaMemsetAsync(args.counts, 0, values * sizeof(unsigned), stream);
  histogram<<<static_cast<unsigned>((args.count + 255) / 256), 256, 0, stream>>>(args);
}
