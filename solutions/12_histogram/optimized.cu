// Counters in shared memory, a copy for each lane of a warp, interleaved so that a lane's copy lies
// in a bank of its own; 16 pixels a load; as many blocks as are resident at once.
#include "contract.cuh"

#ifndef BLOCK
#define BLOCK 1024  // threads a block
#endif
#ifndef COPIES
#define COPIES 32  // copies of the counters: a power of two
#endif

namespace {

constexpr int in_flight = 2;  // loads that a thread starts before it waits for the first

__device__ void add_16(unsigned* mine, uint4 pixels) {
  const unsigned words[] = {pixels.x, pixels.y, pixels.z, pixels.w};
#pragma unroll
  for (const unsigned word : words) {
#pragma unroll
    for (int k = 0; k < 4; ++k) atomicAdd(&mine[(word >> 8 * k & 255) * COPIES], 1u);
  }
}

__global__ void __launch_bounds__(BLOCK) histogram(Args args) {
  __shared__ unsigned counters[values * COPIES];
  for (int i = threadIdx.x; i < values * COPIES; i += BLOCK) counters[i] = 0;
  __syncthreads();

  unsigned* mine = counters + threadIdx.x % COPIES;
  const auto* from = reinterpret_cast<const uint4*>(args.pixels);
  const std::int64_t vectors = args.count / 16;
  const std::int64_t threads = gridDim.x * static_cast<std::int64_t>(BLOCK);
  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  std::int64_t v = first;
  for (; v + (in_flight - 1) * threads < vectors; v += in_flight * threads) {
    uint4 loaded[in_flight];
#pragma unroll
    for (int k = 0; k < in_flight; ++k) loaded[k] = __ldg(from + v + k * threads);
#pragma unroll
    for (int k = 0; k < in_flight; ++k) add_16(mine, loaded[k]);
  }
  for (; v < vectors; v += threads) add_16(mine, __ldg(from + v));
  if (16 * vectors + first < args.count)
    atomicAdd(&mine[args.pixels[16 * vectors + first] * COPIES], 1u);
  __syncthreads();

  // Each thread begins with another copy, so that here, too, the lanes are in different banks.
  for (int value = threadIdx.x; value < values; value += BLOCK) {
    unsigned sum = 0;
#pragma unroll
    for (int k = 0; k < COPIES; ++k) sum += counters[value * COPIES + (k + value) % COPIES];
    if (sum > 0) atomicAdd(&args.counts[value], sum);
  }
}

// Blocks that the whole device holds at once; more would only set up and add up more counters.
unsigned resident_blocks() {
  int device = 0, multiprocessors = 0, blocks = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, histogram, BLOCK, 0);
  return static_cast<unsigned>(multiprocessors * blocks);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static const unsigned resident = resident_blocks();
  const std::int64_t needed = (args.count / 16 + BLOCK - 1) / BLOCK + 1;
  const auto blocks = static_cast<unsigned>(needed < resident ? needed : resident);
  cudaMemsetAsync(args.counts, 0, values * sizeof(unsigned), stream);
  histogram<<<blocks, BLOCK, 0, stream>>>(args);
}
