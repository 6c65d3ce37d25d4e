// Rejected by: correct — a sum by shuffles asks lanes that have left
#include "contract.cuh"
__global__ void add_up(Args a) {
  const std::int64_t first = (std::int64_t)blockIdx.y * a.bodies,
                     i = blockIdx.x * 4ll + threadIdx.y;
  if (i >= a.bodies || threadIdx.x >= a.bodies) return;
  const float4 o = a.stars[first + i];
  float sum = 0;
  for (int k = threadIdx.x; k < a.bodies; k += 32) {
    const float4 q = a.stars[first + k];
    const float x = q.x - o.x, y = q.y - o.y, z = q.z - o.z;
    sum += q.w * rsqrtf(x * x + y * y + z * z + softening);
  }
  for (int d = 16; d; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x == 0) a.potential[first + i] = sum;
}
void launch(const Args& a, cudaStream_t s) {
  add_up<<<dim3((unsigned)((a.bodies + 3ll) / 4), a.clusters), dim3(32, 4), 0, s>>>(a);
}
