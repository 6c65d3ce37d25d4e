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
cudaStream_t up, work, down;
cudaEvent_t start, finished;

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (start == nullptr) {
    cudaEventCreate(&start);
    cudaEventCreate(&finished);
    for (cudaStream_t* one : {&up, &work, &down}) cudaStreamCreate(one);
  }
  cudaEventRecord(start, stream);
  for (cudaStream_t one : {up, work, down}) cudaStreamWaitEvent(one, start);
  const std::int64_t chunk = (args.samples + chunks - 1) / chunks;
  for (std::int64_t first = 0; first < args.samples; first += chunk) {
    const std::int64_t count = std::min(chunk, args.samples - first);
    cudaMemcpyAsync(args.room + first, args.in + first, count * sizeof(float),
                    cudaMemcpyHostToDevice, up);
    settle<<<static_cast<unsigned>((count + 255) / 256), 256, 0, work>>>(args.room + first, count,
                                                                         args.steps, args.rate);
    cudaMemcpyAsync(args.out + first, args.room + first, count * sizeof(float),
                    cudaMemcpyDeviceToHost, down);
  }
  cudaEventRecord(finished, down);
  cudaStreamWaitEvent(stream, finished);
}
