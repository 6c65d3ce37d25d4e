// Rejected by: cause — 16 pixels a load, few blocks, a loop: everything but the 256 words that all
// threads of the GPU add to
#include "contract.cuh"

namespace {

__global__ void histogram(Args args) {
  const std::int64_t vectors = args.count / 16;
  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  const std::int64_t step = gridDim.x * static_cast<std::int64_t>(blockDim.x);
  for (std::int64_t v = first; v < vectors; v += step) {
    const uint4 pixels = reinterpret_cast<const uint4*>(args.pixels)[v];
    for (const unsigned word : {pixels.x, pixels.y, pixels.z, pixels.w})
      for (int shift = 0; shift < 32; shift += 8) atomicAdd(&args.counts[word >> shift & 255], 1u);
  }
  for (std::int64_t i = 16 * vectors + first; i < args.count; i += step)
    atomicAdd(&args.counts[args.pixels[i]], 1u);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaMemsetAsync(args.counts, 0, values * sizeof(unsigned), stream);
  histogram<<<1056, 512, 0, stream>>>(args);
}
