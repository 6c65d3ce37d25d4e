// Right, but fails: time — the copies still run one after the other; the kernel that keeps another
// stream busy meanwhile only looks like overlap
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

cudaStream_t streams[4];
cudaEvent_t done[4];
cudaEvent_t start;

void create(unsigned flags) {
  cudaEventCreate(&start);
  for (int i = 0; i < 4; ++i) {
    cudaStreamCreateWithFlags(&streams[i], flags);
    cudaEventCreate(&done[i]);
  }
}

__global__ void keep_busy(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (start == nullptr) create(cudaStreamNonBlocking);
  const std::int64_t chunk = (args.samples + 7) / 8;
  cudaEventRecord(start, stream);
  cudaStreamWaitEvent(streams[0], start);
  const auto cycles = static_cast<long long>(args.samples) * 4 / 10;
  keep_busy<<<1, 1, 0, streams[0]>>>(cycles);
  for (std::int64_t first = 0; first < args.samples; first += chunk) {
    const std::int64_t count = std::min(chunk, args.samples - first);
    const auto blocks = static_cast<unsigned>((count + 255) / 256);
    cudaMemcpyAsync(args.room + first, args.in + first, count * sizeof(float),
                    cudaMemcpyHostToDevice, stream);
    settle<<<blocks, 256, 0, stream>>>(args.room + first, count, args.steps, args.rate);
    cudaMemcpyAsync(args.out + first, args.room + first, count * sizeof(float),
                    cudaMemcpyDeviceToHost, stream);
  }
  cudaEventRecord(done[0], streams[0]);
  cudaStreamWaitEvent(stream, done[0]);
}
