// Right, but fails: time or cause — no atomics at all: each block looks for one value, and all 256
// read the whole picture
#include "contract.cuh"

namespace {

__global__ void count_value(Args args) {
  __shared__ unsigned sums[256];
  const unsigned wanted = blockIdx.x * 0x01010101u;  // the value, four times
  const std::int64_t vectors = args.count / 16;
  unsigned bits = 0;
  for (std::int64_t v = threadIdx.x; v < vectors; v += blockDim.x) {
    const uint4 pixels = reinterpret_cast<const uint4*>(args.pixels)[v];
    bits += __popc(__vcmpeq4(pixels.x, wanted)) + __popc(__vcmpeq4(pixels.y, wanted)) +
            __popc(__vcmpeq4(pixels.z, wanted)) + __popc(__vcmpeq4(pixels.w, wanted));
  }
  unsigned found = bits / 8;
  const std::int64_t left = 16 * vectors + threadIdx.x;
  if (left < args.count) found += args.pixels[left] == blockIdx.x;
  sums[threadIdx.x] = found;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) args.counts[blockIdx.x] = sums[0];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  count_value<<<values, 256, 0, stream>>>(args);
}
