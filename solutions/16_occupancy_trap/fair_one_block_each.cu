// Ends in: pass — eight points a thread, and one block of 256 threads on each multiprocessor
#include "contract.cuh"

namespace {

constexpr int block = 256;  // threads
constexpr int points = 8;   // that a thread keeps in registers
constexpr std::int64_t tile = static_cast<std::int64_t>(block) * points;

__device__ void load(float (&x)[points], const Args& args, std::int64_t first) {
#pragma unroll
  for (int p = 0; p < points; ++p) {
    const std::int64_t i = first + p * block;
    x[p] = i < args.count ? __ldg(args.points + i) : 0;
  }
}

__device__ void step(float (&value)[points], const float (&x)[points], float coefficient) {
#pragma unroll
  for (int p = 0; p < points; ++p) value[p] = value[p] * x[p] + coefficient;
}

__global__ void __launch_bounds__(block, 1) evaluate(Args args) {
  // In descending order, filled up with zeros: in front to whole groups of four, which changes
  // nothing, and by one group behind, which is loaded and not used.
  __shared__ float4 groups[most_terms / 4 + 1];
  const int terms = (args.terms + 3) / 4 * 4;
  for (int i = threadIdx.x; i < terms + 4; i += block) {
    const int k = terms - 1 - i;
    reinterpret_cast<float*>(groups)[i] = k >= 0 && k < args.terms ? args.coefficients[k] : 0;
  }
  __syncthreads();

  const std::int64_t stride = gridDim.x * tile;
  std::int64_t first = blockIdx.x * tile + threadIdx.x;
  float next[points];
  load(next, args, first);
  for (; first < args.count; first += stride) {
    float x[points], value[points] = {};
#pragma unroll
    for (int p = 0; p < points; ++p) x[p] = next[p];
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
    for (int p = 0; p < points; ++p)
      if (first + p * block < args.count) args.values[first + p * block] = value[p];
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
  static const unsigned most = multiprocessors();
  const std::int64_t tiles = (args.count + tile - 1) / tile;
  const auto blocks = static_cast<unsigned>(tiles < most ? tiles : most);
  evaluate<<<blocks, block, 0, stream>>>(args);
}
