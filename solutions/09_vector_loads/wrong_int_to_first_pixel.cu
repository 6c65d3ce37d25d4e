// Rejected by: correct — where the first pixel lies is an int, though a header may have any length
#include "contract.cuh"

namespace {

__global__ void brighten(Args args, int first) {
  const std::int64_t threads = gridDim.x * static_cast<std::int64_t>(blockDim.x);
  const std::int64_t me = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  const unsigned char* in = args.in + first;
  unsigned char* out = args.out + first;
  const std::int64_t ragged = min(static_cast<std::int64_t>(-first & 7), args.pixels);
  const std::int64_t pieces = (args.pixels - ragged) / 8;
  const unsigned more = args.more * 0x01010101u;
  for (std::int64_t i = me; i < pieces; i += threads) {
    uint2 eight = reinterpret_cast<const uint2*>(in + ragged)[i];
    eight = {__vaddus4(eight.x, more), __vaddus4(eight.y, more)};
    reinterpret_cast<uint2*>(out + ragged)[i] = eight;
  }
  for (std::int64_t i = me; i < args.pixels; i += threads) {
    if (i >= ragged && i < ragged + 8 * pieces) i = ragged + 8 * pieces + me;
    if (i < args.pixels) out[i] = min(in[i] + args.more, 255);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  brighten<<<1056, 256, 0, stream>>>(args, static_cast<int>(args.header));
}
