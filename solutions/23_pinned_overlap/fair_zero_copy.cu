// Ends in: pass — no copies at all: the kernel reads and writes the memory of the host itself, so
// that both directions and the arithmetic go on at the same time
#include "contract.cuh"

namespace {

__global__ void settle(const float* in, float* out, std::int64_t count, int steps, float rate) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const float x = in[i];
  float y = 0;
  for (int step = 0; step < steps; ++step) y += rate * (x - y * (1 + y * y));
  out[i] = y;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.samples + 255) / 256);
  settle<<<blocks, 256, 0, stream>>>(args.in, args.out, args.samples, args.steps, args.rate);
}
