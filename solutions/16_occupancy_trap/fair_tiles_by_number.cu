// Ends in: pass — blocks draw the numbers of their tiles from a counter in memory of the stream's,
// which each launch allocates, clears and frees; sixteen points a thread, coefficients in shared
// memory
#include "contract.cuh"

namespace {

constexpr int threads = 256, points_each = 16;
constexpr std::int64_t tile = threads * points_each;

__global__ void __launch_bounds__(threads) evaluate(Args args, unsigned long long* drawn) {
  __shared__ float coefficients[most_terms];
  __shared__ unsigned long long number;
  for (int k = threadIdx.x; k < args.terms; k += threads) coefficients[k] = args.coefficients[k];
  for (;;) {
    __syncthreads();  // nobody needs the former number any more
    if (threadIdx.x == 0) number = atomicAdd(drawn, 1ull);
    __syncthreads();
    const std::int64_t first = static_cast<std::int64_t>(number) * tile + threadIdx.x;
    if (first - threadIdx.x >= args.count) return;
    float x[points_each], value[points_each] = {};
#pragma unroll
    for (int p = 0; p < points_each; ++p) {
      const std::int64_t i = first + p * threads;
      x[p] = i < args.count ? args.points[i] : 0;
    }
    for (int k = args.terms; k-- > 0;) {
      const float c = coefficients[k];
#pragma unroll
      for (int p = 0; p < points_each; ++p) value[p] = fmaf(value[p], x[p], c);
    }
#pragma unroll
    for (int p = 0; p < points_each; ++p)
      if (const std::int64_t i = first + p * threads; i < args.count) args.values[i] = value[p];
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  int device = 0, multiprocessors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  unsigned long long* drawn = nullptr;
  cudaMallocAsync(&drawn, sizeof(*drawn), stream);
  cudaMemsetAsync(drawn, 0, sizeof(*drawn), stream);
  evaluate<<<2 * multiprocessors, threads, 0, stream>>>(args, drawn);
  cudaFreeAsync(drawn, stream);
}
