// Ends in: pass — at the edge of the matrix words are read that nobody wrote, and not used: only
// the stores are guarded
#include "contract.cuh"
namespace {
__global__ void transpose(Args a) {
  __shared__ float tile[32][33];
  const std::int64_t left = blockIdx.x * 32ll, top = blockIdx.y * 32ll;
#pragma unroll
  for (int k = 0; k < 32; k += 8) {
    const int y = threadIdx.y + k;
    if (top + y < a.rows && left + threadIdx.x < a.columns)
      tile[y][threadIdx.x] = a.in[(top + y) * a.columns + left + threadIdx.x];
  }
  __syncthreads();
  float v[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) v[k] = tile[threadIdx.x][threadIdx.y + 8 * k];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (const int y = threadIdx.y + 8 * k; left + y < a.columns && top + threadIdx.x < a.rows)
      a.out[(left + y) * a.rows + top + threadIdx.x] = v[k];
}
}  // namespace
void launch(const Args& a, cudaStream_t stream) {
  transpose<<<dim3(unsigned((a.columns + 31) / 32), unsigned((a.rows + 31) / 32)), dim3(32, 8), 0,
              stream>>>(a);
}
