// Rejected by: correct — the count as an int is negative beyond 2^31 pixels, so no pixel is looked
// at
#include "contract.cuh"
namespace {
__global__ void histogram(const std::uint8_t* pixels, unsigned* counts, int count) {
  __shared__ unsigned own[values];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(&own[pixels[i]], 1u);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}
}  // namespace
void launch(const Args& a, cudaStream_t stream) {
  cudaMemsetAsync(a.counts, 0, values * sizeof(unsigned), stream);
  histogram<<<264, values, 0, stream>>>(a.pixels, a.counts, static_cast<int>(a.count));
}
