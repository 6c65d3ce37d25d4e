// Rejected by: correct — the number of samples is kept in an unsigned of 32 bits: a channel of 2^32
// of them and some more has only these
#include "contract.cuh"

namespace {

__global__ void bank(Args a) {
  const std::int64_t c = blockIdx.x * 64ll + threadIdx.x;
  if (c >= a.channels) return;
  float e = 0;
  for (int f0 = 0; f0 < filters; f0 += 16) {
    float s[16] = {};
    for (unsigned n = 0; n < (unsigned)a.samples; ++n) {
      const float x = a.signal[n * a.channels + c];
#pragma unroll
      for (int f = 0; f < 16; ++f) s[f] = s[f] * keep(f0 + f) + x;
    }
#pragma unroll
    for (int f = 0; f < 16; ++f) e += s[f] * s[f];
  }
  a.energy[c] = e;
}

}  // namespace

void launch(const Args& a, cudaStream_t s) {
  bank<<<(unsigned)((a.channels + 63) / 64), 64, 0, s>>>(a);
}
