// Ends in: pass — the hint as it stands: four chunks, each in a stream of its own
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

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (start == nullptr) {
    cudaEventCreate(&start);
    for (int i = 0; i < 4; ++i) {
      cudaStreamCreate(&streams[i]);
      cudaEventCreate(&done[i]);
    }
  }
  const std::int64_t chunk = (args.samples + 3) / 4;
  cudaEventRecord(start, stream);
  for (int i = 0; i < 4; ++i) {
    const std::int64_t first = i * chunk;
    const std::int64_t count = std::min(chunk, args.samples - first);
    if (count <= 0) break;
    cudaStreamWaitEvent(streams[i], start);
    cudaMemcpyAsync(args.room + first, args.in + first, count * sizeof(float),
                    cudaMemcpyHostToDevice, streams[i]);
    settle<<<static_cast<unsigned>((count + 255) / 256), 256, 0, streams[i]>>>(
        args.room + first, count, args.steps, args.rate);
    cudaMemcpyAsync(args.out + first, args.room + first, count * sizeof(float),
                    cudaMemcpyDeviceToHost, streams[i]);
    cudaEventRecord(done[i], streams[i]);
    cudaStreamWaitEvent(stream, done[i]);
  }
}
