// Rejected by: correct — vectors are counted in 64 bits, the last pixels in an int, which they have
// long left behind
#include "contract.cuh"
namespace {
__global__ void brighten(Args a) {
  const unsigned char* in = a.in + a.header;
  unsigned char* out = a.out + a.header;
  const int head = static_cast<int>(min((16 - a.header % 16) % 16, a.pixels));
  const int vectors = static_cast<int>((a.pixels - head) / 16);
  const unsigned more = a.more * 0x01010101u;
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < head) out[t] = min(in[t] + a.more, 255);
  for (int v = t; v < vectors; v += gridDim.x * blockDim.x) {
    uint4 x = reinterpret_cast<const uint4*>(in + head)[v];
    x = {__vaddus4(x.x, more), __vaddus4(x.y, more), __vaddus4(x.z, more), __vaddus4(x.w, more)};
    reinterpret_cast<uint4*>(out + head)[v] = x;
  }
  for (int i = head + vectors * 16 + t; i < static_cast<int>(a.pixels); i += gridDim.x * blockDim.x)
    out[i] = min(in[i] + a.more, 255);
}
}  // namespace
void launch(const Args& a, cudaStream_t stream) { brighten<<<1056, 256, 0, stream>>>(a); }
