// Rejected by: correct — four streams take turns in two rooms, and none waits until a room is free
#include <algorithm>

#include "contract.cuh"

namespace {

constexpr int block = 256;
constexpr int chunks = 16;
constexpr int streams = 4;

__global__ void settle(float* values, std::int64_t count, int steps, float rate) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  if (i >= count) return;
  const float x = values[i];
  float y = 0;
  for (int step = 0; step < steps; ++step) y += rate * (x - y * (1 + y * y));
  values[i] = y;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static cudaStream_t own[streams];
  static cudaEvent_t started, done[streams];
  if (started == nullptr) {
    cudaEventCreateWithFlags(&started, cudaEventDisableTiming);
    for (int i = 0; i < streams; ++i) {
      cudaStreamCreateWithFlags(&own[i], cudaStreamNonBlocking);
      cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming);
    }
  }
  cudaEventRecord(started, stream);
  for (cudaStream_t each : own) cudaStreamWaitEvent(each, started);
  const std::int64_t most = (args.samples + chunks - 1) / chunks;
  for (int chunk = 0; chunk * most < args.samples; ++chunk) {
    const std::int64_t first = chunk * most, count = std::min(most, args.samples - first);
    float* room = args.room + (args.samples > most ? chunk % 2 * most : 0);
    if (room + count > args.room + args.samples) room = args.room;
    cudaStream_t each = own[chunk % streams];
    cudaMemcpyAsync(room, args.in + first, count * sizeof(float), cudaMemcpyHostToDevice, each);
    settle<<<static_cast<unsigned>((count + block - 1) / block), block, 0, each>>>(
        room, count, args.steps, args.rate);
    cudaMemcpyAsync(args.out + first, room, count * sizeof(float), cudaMemcpyDeviceToHost, each);
  }
  for (int i = 0; i < streams; ++i) {
    cudaEventRecord(done[i], own[i]);
    cudaStreamWaitEvent(stream, done[i]);
  }
}
