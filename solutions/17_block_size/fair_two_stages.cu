// Ends in: pass — asynchronous copies in two stages, each thread waits for its own and reads those
// alone
#include <cuda_pipeline.h>
#include "contract.cuh"

#include <algorithm>
namespace {
constexpr int threads = 256;
__global__ void limit(Args a) {
  __shared__ float stage[2][threads];
  const std::int64_t step = gridDim.x * std::int64_t(threads);
  std::int64_t i = blockIdx.x * std::int64_t(threads) + threadIdx.x;
  int s = 0;
  if (i < a.count) __pipeline_memcpy_async(&stage[0][threadIdx.x], a.in + i, sizeof(float));
  __pipeline_commit();
  for (; i < a.count; i += step, s ^= 1) {
    if (i + step < a.count)
      __pipeline_memcpy_async(&stage[s ^ 1][threadIdx.x], a.in + i + step, sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    const float x = stage[s][threadIdx.x];
    a.out[i] = fminf(fmaxf(x, a.low), a.high);
  }
}
}  // namespace
void launch(const Args& a, cudaStream_t stream) {
  limit<<<unsigned(std::clamp<std::int64_t>((a.count + threads - 1) / threads, 1, 1056)), threads,
          0, stream>>>(a);
}
