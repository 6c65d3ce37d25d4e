// Ends in: pass — sixteen points a thread, four neighbours at a time, and the terms in whole turns
// of a loop without a remainder
#include "contract.cuh"

namespace {

constexpr int block = 128, blocks_each = 2;  // on each multiprocessor: an eighth of the warps
constexpr int points = 16;                   // that a thread keeps in registers

constexpr int unrolled = 16;  // terms a turn of the loop
constexpr int tile_points = block * points;
constexpr int quads = points / 4;

/// Point p of this thread: four neighbours at a time, threads side by side.
__device__ int place(int p) { return (p / 4 * block + static_cast<int>(threadIdx.x)) * 4 + p % 4; }

__device__ void load(float (&x)[points], const Args& args, std::int64_t first) {
  if (first + tile_points <= args.count) {
    const float4* from = reinterpret_cast<const float4*>(args.points + first) + threadIdx.x;
#pragma unroll
    for (int q = 0; q < quads; ++q) {
      const float4 four = __ldg(from + q * block);
      x[4 * q] = four.x, x[4 * q + 1] = four.y, x[4 * q + 2] = four.z, x[4 * q + 3] = four.w;
    }
  } else {
#pragma unroll
    for (int p = 0; p < points; ++p)
      x[p] = first + place(p) < args.count ? args.points[first + place(p)] : 0;
  }
}

__device__ void store(const float (&value)[points], const Args& args, std::int64_t first) {
  if (first + tile_points <= args.count) {
    float4* to = reinterpret_cast<float4*>(args.values + first) + threadIdx.x;
#pragma unroll
    for (int q = 0; q < quads; ++q)
      to[q * block] =
          make_float4(value[4 * q], value[4 * q + 1], value[4 * q + 2], value[4 * q + 3]);
  } else {
#pragma unroll
    for (int p = 0; p < points; ++p)
      if (first + place(p) < args.count) args.values[first + place(p)] = value[p];
  }
}

__device__ void step(float (&value)[points], const float (&x)[points], float c) {
#pragma unroll
  for (int p = 0; p < points; ++p) value[p] = value[p] * x[p] + c;
}

__device__ void horner(float (&value)[points], const float (&x)[points], int terms,
                       const float4* coefficient) {
  const int turns = (terms + unrolled - 1) / unrolled;
  float4 c = coefficient[0];
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (int u = 1; u <= unrolled / 4; ++u) {
      const float4 following = coefficient[turn * (unrolled / 4) + u];
      step(value, x, c.x);
      step(value, x, c.y);
      step(value, x, c.z);
      step(value, x, c.w);
      c = following;
    }
  }
}

__global__ void __launch_bounds__(block, blocks_each) evaluate(const __grid_constant__ Args args) {
  // In descending order, filled up in front with zeros, which change nothing, to whole turns.
  __shared__ float4 coefficient[(most_terms + 2 * unrolled) / 4];
  const int padded = (args.terms + unrolled - 1) / unrolled * unrolled;
  for (int i = threadIdx.x; i < padded + 4; i += block) {  // the last four are loaded and not used
    const int k = padded - 1 - i;
    reinterpret_cast<float*>(coefficient)[i] = k >= 0 && k < args.terms ? args.coefficients[k] : 0;
  }
  __syncthreads();
  // Same for all threads of the block: so the coefficients' addresses are known to be uniform.
  const std::int64_t tiles = (args.count + tile_points - 1) / tile_points;
  float next[points];
  load(next, args, blockIdx.x * static_cast<std::int64_t>(tile_points));
  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    float x[points], value[points] = {};
#pragma unroll
    for (int p = 0; p < points; ++p) x[p] = next[p];
    if (tile + gridDim.x < tiles) load(next, args, (tile + gridDim.x) * tile_points);
    horner(value, x, args.terms, coefficient);
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
  static const unsigned most = blocks_each * multiprocessors();
  const std::int64_t tiles = (args.count + tile_points - 1) / tile_points;
  const auto blocks = static_cast<unsigned>(tiles < most ? tiles : most);
  evaluate<<<blocks, block, 0, stream>>>(args);
}
