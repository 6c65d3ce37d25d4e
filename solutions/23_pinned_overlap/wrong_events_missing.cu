// Rejected by: correct — a stream for each engine, but nothing tells the kernel that its chunk has
// arrived, nor the copy that it has settled
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

constexpr int chunks = 16;
cudaStream_t streams[3];  // down, work, up
cudaEvent_t start, finished[3];

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (start == nullptr) {
    cudaEventCreate(&start);
    for (cudaStream_t& one : streams) cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    for (cudaEvent_t& one : finished) cudaEventCreate(&one);
  }
  cudaEventRecord(start, stream);
  for (cudaStream_t one : streams) cudaStreamWaitEvent(one, start);
  const std::int64_t chunk = (args.samples + chunks - 1) / chunks;
  for (std::int64_t first = 0; first < args.samples; first += chunk) {
    const std::int64_t count = std::min(chunk, args.samples - first);
    cudaMemcpyAsync(args.room + first, args.in + first, count * sizeof(float),
                    cudaMemcpyHostToDevice, streams[2]);
    settle<<<static_cast<unsigned>((count + 255) / 256), 256, 0, streams[1]>>>(
        args.room + first, count, args.steps, args.rate);
    cudaMemcpyAsync(args.out + first, args.room + first, count * sizeof(float),
                    cudaMemcpyDeviceToHost, streams[0]);
  }
  for (int i = 0; i < 3; ++i) {
    cudaEventRecord(finished[i], streams[i]);
    cudaStreamWaitEvent(stream, finished[i]);
  }
}
