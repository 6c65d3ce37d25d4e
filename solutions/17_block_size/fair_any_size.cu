// Ends in: pass — as many blocks as fit on the device, of any size; they step through the signal
// with 16 bytes a thread
#include "contract.cuh"

#ifndef BLOCK
#define BLOCK 256  // threads a block
#endif

namespace {

constexpr int in_flight = 2;  // 16-byte loads that a thread starts before it waits for the first

__device__ float limited(float sample, const Args& args) {
  return fminf(fmaxf(sample, args.low), args.high);
}

__device__ float4 limited(float4 v, const Args& args) {
  return {limited(v.x, args), limited(v.y, args), limited(v.z, args), limited(v.w, args)};
}

__global__ void __launch_bounds__(BLOCK) limit(Args args) {
  const auto* from = reinterpret_cast<const float4*>(args.in);
  auto* to = reinterpret_cast<float4*>(args.out);
  const std::int64_t vectors = args.count / 4;
  const std::int64_t threads = gridDim.x * static_cast<std::int64_t>(BLOCK);
  const std::int64_t thread = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;

  std::int64_t v = thread;
  for (; v + (in_flight - 1) * threads < vectors; v += in_flight * threads) {
    float4 loaded[in_flight];
#pragma unroll
    for (int k = 0; k < in_flight; ++k) loaded[k] = __ldg(from + v + k * threads);
#pragma unroll
    for (int k = 0; k < in_flight; ++k) to[v + k * threads] = limited(loaded[k], args);
  }
  for (; v < vectors; v += threads) to[v] = limited(__ldg(from + v), args);
  if (const std::int64_t last = 4 * vectors + thread; last < args.count)  // fewer than four
    args.out[last] = limited(args.in[last], args);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  int device = 0, multiprocessors = 0, resident = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, limit, BLOCK, 0);
  limit<<<resident * multiprocessors, BLOCK, 0, stream>>>(args);
}
