// Rejected by: correct — where a cluster begins is worked out in an unsigned of 32 bits, which is
// right below 2^32 stars
#include "contract.cuh"

namespace {

__global__ void add(Args a) {
  const unsigned b = a.bodies, base = blockIdx.y * b;
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= a.bodies) return;
  const float4 own = a.stars[base + i];
  float sum = 0;
  for (int k = 0; k < a.bodies; ++k) {
    const float4 o = a.stars[base + k];
    const float x = o.x - own.x, y = o.y - own.y, z = o.z - own.z;
    sum += o.w * rsqrtf(x * x + y * y + z * z + softening);
  }
  a.potential[base + i] = sum;
}

}  // namespace

void launch(const Args& a, cudaStream_t s) {
  add<<<dim3((a.bodies + 255) / 256, a.clusters), 256, 0, s>>>(a);
}
