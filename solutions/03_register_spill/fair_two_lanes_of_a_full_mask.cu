// Ends in: pass — two lanes share a channel, and the mask names all lanes, also those that have
// left
#include "contract.cuh"
__global__ void __launch_bounds__(256) bank(Args a) {
  const std::int64_t c = blockIdx.x * 128ll + threadIdx.x / 2;
  if (c >= a.channels) return;
  const bool odd = threadIdx.x % 2;
  float v[32] = {};
  for (std::int64_t s = 0; s < a.samples; ++s) {
    const float x = a.signal[s * a.channels + c];
#pragma unroll
    for (int k = 0; k < 32; ++k) v[k] = (odd ? keep(2 * k + 1) : keep(2 * k)) * v[k] + x;
  }
  float e = 0;
#pragma unroll
  for (int k = 0; k < 32; ++k) e += v[k] * v[k];
  e += __shfl_xor_sync(0xffffffffu, e, 1);
  if (!odd) a.energy[c] = e;
}
void launch(const Args& a, cudaStream_t s) {
  bank<<<(unsigned)((a.channels + 127) / 128), 256, 0, s>>>(a);
}
