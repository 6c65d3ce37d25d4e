// Rejected by: cause — chunks, but all of them in one stream: there every copy waits for the kernel
// before it
#include "contract.cuh"

#include <algorithm>

namespace {

__global__ void settle(float* values, std::int64_t count, int steps, float rate) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const float x = values[i];
  float y = 0;
  for (int step = 0; step < steps; ++step) y += rate * (x - y * (1 + y * y));
  values[i] = y;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t chunk = (args.samples + 31) / 32;
  for (std::int64_t first = 0; first < args.samples; first += chunk) {
    const std::int64_t count = std::min(chunk, args.samples - first);
    const auto blocks = static_cast<unsigned>((count + 255) / 256);
    cudaMemcpyAsync(args.room + first, args.in + first, count * sizeof(float),
                    cudaMemcpyHostToDevice, stream);
    settle<<<blocks, 256, 0, stream>>>(args.room + first, count, args.steps, args.rate);
    cudaMemcpyAsync(args.out + first, args.room + first, count * sizeof(float),
                    cudaMemcpyDeviceToHost, stream);
  }
}
