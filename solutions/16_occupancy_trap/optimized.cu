// A block of 256 threads on each multiprocessor: 24 points a thread, four neighbours at a time,
// coefficients from shared memory, and the next points on their way while these are computed.
#include "contract.cuh"

#ifndef BLOCK
#define BLOCK 256  // threads a block
#endif
#ifndef POINTS
#define POINTS 24  // points that a thread keeps in registers: whole quads
#endif
#ifndef BLOCKS_EACH
#define BLOCKS_EACH 1  // blocks a multiprocessor
#endif

namespace {

constexpr int quads = POINTS / 4;
constexpr int unrolled = 16;  // terms a turn of the loop
constexpr int tile_points = BLOCK * POINTS;
static_assert(POINTS % 4 == 0 && unrolled % 4 == 0 && most_terms % unrolled == 0);

/// Point p of this thread in a tile: four neighbours at a time, threads side by side.
__device__ int place(int p) { return (p / 4 * BLOCK + static_cast<int>(threadIdx.x)) * 4 + p % 4; }

__device__ void load(float (&x)[POINTS], const Args& args, std::int64_t first) {
  if (first + tile_points <= args.count) {
    const float4* from = reinterpret_cast<const float4*>(args.points + first) + threadIdx.x;
#pragma unroll
    for (int q = 0; q < quads; ++q) {
      const float4 four = __ldg(from + q * BLOCK);
      x[4 * q] = four.x, x[4 * q + 1] = four.y, x[4 * q + 2] = four.z, x[4 * q + 3] = four.w;
    }
  } else {
#pragma unroll
    for (int p = 0; p < POINTS; ++p)
      x[p] = first + place(p) < args.count ? args.points[first + place(p)] : 0;
  }
}

__device__ void store(const float (&value)[POINTS], const Args& args, std::int64_t first) {
  if (first + tile_points <= args.count) {
    float4* to = reinterpret_cast<float4*>(args.values + first) + threadIdx.x;
#pragma unroll
    for (int q = 0; q < quads; ++q)
      to[q * BLOCK] =
          make_float4(value[4 * q], value[4 * q + 1], value[4 * q + 2], value[4 * q + 3]);
  } else {
#pragma unroll
    for (int p = 0; p < POINTS; ++p)
      if (first + place(p) < args.count) args.values[first + place(p)] = value[p];
  }
}

__device__ void step(float (&value)[POINTS], const float (&x)[POINTS], float coefficient) {
#pragma unroll
  for (int p = 0; p < POINTS; ++p) value[p] = value[p] * x[p] + coefficient;
}

__device__ void horner(float (&value)[POINTS], const float (&x)[POINTS], const float4* groups,
                       int turns) {
  // The next group is on its way while this one is used: with two warps a scheduler nobody else
  // covers that wait.
  float4 c = groups[0];
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (int u = 1; u <= unrolled / 4; ++u) {
      const float4 following = groups[turn * (unrolled / 4) + u];
      step(value, x, c.x);
      step(value, x, c.y);
      step(value, x, c.z);
      step(value, x, c.w);
      c = following;
    }
  }
}

__global__ void __launch_bounds__(BLOCK, BLOCKS_EACH) evaluate(const __grid_constant__ Args args) {
  // In descending order, filled up with zeros: in front to whole turns of the loop, which changes
  // nothing, and by one group behind, which is loaded and not used.
  __shared__ float4 groups[most_terms / 4 + 1];
  const int turns = (args.terms + unrolled - 1) / unrolled;
  for (int i = threadIdx.x; i < turns * unrolled + 4; i += BLOCK) {
    const int k = turns * unrolled - 1 - i;
    reinterpret_cast<float*>(groups)[i] = k >= 0 && k < args.terms ? args.coefficients[k] : 0;
  }
  __syncthreads();

  const std::int64_t tiles = (args.count + tile_points - 1) / tile_points;
  float next[POINTS];
  load(next, args, blockIdx.x * static_cast<std::int64_t>(tile_points));
  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    float x[POINTS], value[POINTS] = {};
#pragma unroll
    for (int p = 0; p < POINTS; ++p) x[p] = next[p];
    if (tile + gridDim.x < tiles) load(next, args, (tile + gridDim.x) * tile_points);
    horner(value, x, groups, turns);
    store(value, args, tile * tile_points);
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
  const std::int64_t tiles = (args.count + tile_points - 1) / tile_points;
  const auto blocks = static_cast<unsigned>(tiles < most ? tiles : most);
  evaluate<<<blocks, BLOCK, 0, stream>>>(args);
}
