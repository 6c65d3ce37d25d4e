// Ends in: pass — a template over the points of a thread, chosen by the problem's and the device's
// size; coefficients in shared memory, padded with zeros to whole fours
#include "contract.cuh"

#ifndef BLOCK
#define BLOCK 256
#endif

namespace {

template <int points>
__global__ void __launch_bounds__(BLOCK) evaluate(Args args) {
  __shared__ float4 quads[most_terms / 4];
  auto* coefficients = reinterpret_cast<float*>(quads);
  const int padded = (args.terms + 3) / 4 * 4;
  for (int k = threadIdx.x; k < padded; k += BLOCK) {
    coefficients[k] = k < args.terms ? args.coefficients[k] : 0.0f;
  }
  __syncthreads();

  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * (BLOCK * points) + threadIdx.x;
  const auto each = [](auto&& action) {
#pragma unroll
    for (int j = 0; j < points; ++j) action(j);
  };
  float x[points];
  float value[points];
  each([&](int j) {
    const std::int64_t i = first + j * BLOCK;
    x[j] = i < args.count ? args.points[i] : 0.0f;
    value[j] = 0;
  });
#pragma unroll 2
  for (int q = padded / 4 - 1; q >= 0; --q) {
    const float4 c = quads[q];
    each([&](int j) { value[j] = fmaf(value[j], x[j], c.w); });
    each([&](int j) { value[j] = fmaf(value[j], x[j], c.z); });
    each([&](int j) { value[j] = fmaf(value[j], x[j], c.y); });
    each([&](int j) { value[j] = fmaf(value[j], x[j], c.x); });
  }
  each([&](int j) {
    const std::int64_t i = first + j * BLOCK;
    if (i < args.count) args.values[i] = value[j];
  });
}

template <int points>
void start(const Args& args, cudaStream_t stream) {
  constexpr std::int64_t tile = BLOCK * points;
  evaluate<points>
      <<<static_cast<unsigned>((args.count + tile - 1) / tile), BLOCK, 0, stream>>>(args);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  int device = 0;
  int processors = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  const std::int64_t threads = std::int64_t{1024} * processors;
  if (args.count >= 12 * threads) return start<12>(args, stream);
  if (args.count >= 8 * threads) return start<8>(args, stream);
  if (args.count >= 4 * threads) return start<4>(args, stream);
  start<1>(args, stream);
}
