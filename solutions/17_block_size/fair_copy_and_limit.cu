// Ends in: pass — the signal is copied as it is, and a kernel writes the samples beyond the limits
#include "contract.cuh"

#define BLOCK 256

namespace {

__global__ void limit(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  if (i >= args.count) return;
  const float sample = args.in[i];
  if (sample < args.low) args.out[i] = args.low;
  if (sample > args.high) args.out[i] = args.high;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::size_t bytes = static_cast<std::size_t>(args.count) * sizeof(float);
  cudaMemcpyAsync(args.out, args.in, bytes, cudaMemcpyDeviceToDevice, stream);
  limit<<<static_cast<unsigned>((args.count + BLOCK - 1) / BLOCK), BLOCK, 0, stream>>>(args);
}
