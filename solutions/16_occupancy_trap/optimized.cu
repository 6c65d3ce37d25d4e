// One block of 256 threads on each multiprocessor: 8 points a thread, coefficients from shared
// memory four at a time, and the next points on their way while these are computed.
#include "contract.cuh"

#ifndef BLOCK
#define BLOCK 256  // threads a block
#endif
#ifndef POINTS
#define POINTS 8  // points that a thread keeps in registers
#endif
#ifndef BLOCKS_EACH
#define BLOCKS_EACH 1  // blocks a multiprocessor
#endif

namespace {

constexpr std::int64_t tile = static_cast<std::int64_t>(BLOCK) * POINTS;

__device__ void load(float (&x)[POINTS], const Args& args, std::int64_t first) {
#pragma unroll
  for (int p = 0; p < POINTS; ++p) {
    const std::int64_t i = first + p * BLOCK;
    x[p] = i < args.count ? __ldg(args.points + i) : 0;
  }
}

__device__ void step(float (&value)[POINTS], const float (&x)[POINTS], float coefficient) {
#pragma unroll
  for (int p = 0; p < POINTS; ++p) value[p] = value[p] * x[p] + coefficient;
}

__global__ void __launch_bounds__(BLOCK, 1) evaluate(Args args) {
  // In descending order, filled up with zeros: in front to whole groups of four, which changes
  // nothing, and by one group behind, which is loaded and not used.
  __shared__ float4 groups[most_terms / 4 + 1];
  const int terms = (args.terms + 3) / 4 * 4;
  for (int i = threadIdx.x; i < terms + 4; i += BLOCK) {
    const int k = terms - 1 - i;
    reinterpret_cast<float*>(groups)[i] = k >= 0 && k < args.terms ? args.coefficients[k] : 0;
  }
  __syncthreads();

  const std::int64_t stride = gridDim.x * tile;
  std::int64_t first = blockIdx.x * tile + threadIdx.x;
  float next[POINTS];
  load(next, args, first);
  for (; first < args.count; first += stride) {
    float x[POINTS], value[POINTS] = {};
#pragma unroll
    for (int p = 0; p < POINTS; ++p) x[p] = next[p];
    load(next, args, first + stride);
    // The next group is on its way while this one is used: with two warps a scheduler nobody else
    // covers that wait.
    float4 c = groups[0];
#pragma unroll 4
    for (int g = 1; g <= terms / 4; ++g) {
      const float4 following = groups[g];
      step(value, x, c.x);
      step(value, x, c.y);
      step(value, x, c.z);
      step(value, x, c.w);
      c = following;
    }
#pragma unroll
    for (int p = 0; p < POINTS; ++p)
      if (first + p * BLOCK < args.count) args.values[first + p * BLOCK] = value[p];
  }
}

unsigned multiprocessors() {
  int device = 0, count = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  return static_cast<unsigned>(count);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static const unsigned most = BLOCKS_EACH * multiprocessors();
  const std::int64_t tiles = (args.count + tile - 1) / tile;
  const auto blocks = static_cast<unsigned>(tiles < most ? tiles : most);
  evaluate<<<blocks, BLOCK, 0, stream>>>(args);
}
