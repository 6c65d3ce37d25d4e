// Ends in: pass — a cooperative launch: one block empties the results, and all of the grid waits
// for it before the counts of each are added, two at a time as one 64-bit number
#include "contract.cuh"

#include <cooperative_groups.h>
#include <algorithm>

namespace {

constexpr int lanes = 32;

__device__ void add(unsigned* own, unsigned four) {
#pragma unroll
  for (int shift = 0; shift < 32; shift += 8) atomicAdd(own + (four >> shift & 255) * lanes, 1u);
}

__global__ void __launch_bounds__(values) histogram(Args args) {
  __shared__ unsigned counters[values * lanes];  // a column for each lane
  __shared__ unsigned sums[values];
  if (blockIdx.x == 0) args.counts[threadIdx.x] = 0;
  for (int i = threadIdx.x; i < values * lanes; i += values) counters[i] = 0;
  __syncthreads();
  unsigned* const own = counters + threadIdx.x % lanes;
  const auto* const vectors = reinterpret_cast<const uint4*>(args.pixels);
  const std::int64_t count = args.count / 16;
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(values) + threadIdx.x; i < count;
       i += gridDim.x * static_cast<std::int64_t>(values)) {
    const uint4 four = vectors[i];
    for (const unsigned word : {four.x, four.y, four.z, four.w}) add(own, word);
  }
  if (blockIdx.x == 0 && threadIdx.x < args.count % 16)
    atomicAdd(own + args.pixels[count * 16 + threadIdx.x] * lanes, 1u);
  __syncthreads();
  unsigned sum = 0;
  for (int lane = 0; lane < lanes; ++lane)
    sum += counters[threadIdx.x * lanes + (threadIdx.x + lane) % lanes];
  sums[threadIdx.x] = sum;
  cooperative_groups::this_grid().sync();
  if (threadIdx.x >= values / 2) return;
  // Neither half runs over: counts are below 2^32.
  const std::uint64_t both =
      static_cast<std::uint64_t>(sums[2 * threadIdx.x + 1]) << 32 | sums[2 * threadIdx.x];
  if (both != 0) atomicAdd(reinterpret_cast<unsigned long long*>(args.counts) + threadIdx.x, both);
}

std::int64_t blocks_at_once() {
  int device = 0, multiprocessors = 0, each = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, histogram, values, 0);
  return static_cast<std::int64_t>(multiprocessors) * each;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static const std::int64_t most = blocks_at_once();
  const auto blocks = static_cast<unsigned>(std::min(args.count / (16 * values) + 1, most));
  Args given = args;
  void* arguments[] = {&given};
  cudaLaunchCooperativeKernel(histogram, dim3(blocks), dim3(values), arguments, 0, stream);
}
