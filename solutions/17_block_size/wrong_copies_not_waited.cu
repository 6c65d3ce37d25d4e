// Rejected by: correct — asynchronous copies into shared memory and a barrier, but nobody waits for
// the copies
#include <cuda_pipeline.h>
#include "contract.cuh"
namespace {
__global__ void limit(Args a) {
  __shared__ float stage[256];
  const std::int64_t i = blockIdx.x * 256ll + threadIdx.x;
  if (i < a.count) __pipeline_memcpy_async(&stage[threadIdx.x], a.in + i, 4);
  __pipeline_commit();
  __syncthreads();
  if (i < a.count) a.out[i] = fminf(fmaxf(stage[threadIdx.x], a.low), a.high);
}
}  // namespace
void launch(const Args& a, cudaStream_t stream) {
  limit<<<unsigned((a.count + 255) / 256), 256, 0, stream>>>(a);
}
