// Ends in: pass — 16 pixels a load and counters for each warp: right, and no better than one set a
// block
#include "contract.cuh"

#define BLOCK 512

namespace {

constexpr int warps = BLOCK / 32;

__global__ void histogram(Args args) {
  __shared__ unsigned counters[warps][values];
  for (int i = threadIdx.x; i < warps * values; i += BLOCK) counters[0][i] = 0;
  __syncthreads();
  unsigned* mine = counters[threadIdx.x / 32];
  const std::int64_t vectors = args.count / 16;
  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  const std::int64_t step = gridDim.x * static_cast<std::int64_t>(BLOCK);
  for (std::int64_t v = first; v < vectors; v += step) {
    const uint4 pixels = reinterpret_cast<const uint4*>(args.pixels)[v];
    for (const unsigned word : {pixels.x, pixels.y, pixels.z, pixels.w})
      for (int shift = 0; shift < 32; shift += 8) atomicAdd(&mine[word >> shift & 255], 1u);
  }
  for (std::int64_t i = 16 * vectors + first; i < args.count; i += step)
    atomicAdd(&mine[args.pixels[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < values; i += BLOCK) {
    unsigned sum = 0;
    for (int warp = 0; warp < warps; ++warp) sum += counters[warp][i];
    atomicAdd(&args.counts[i], sum);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaMemsetAsync(args.counts, 0, values * sizeof(unsigned), stream);
  histogram<<<528, BLOCK, 0, stream>>>(args);
}
