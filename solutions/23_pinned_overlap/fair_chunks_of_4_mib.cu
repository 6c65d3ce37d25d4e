// Ends in: pass — chunks of as many bytes as one likes, handed to three streams in turn
#include "contract.cuh"

#include <algorithm>

namespace {

constexpr std::int64_t per_chunk = (4 << 20) / sizeof(float);
constexpr int lanes = 3;

__global__ void settle(float* values, std::int64_t count, int steps, float rate) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const float x = values[i];
  float y = 0;
  for (int step = 0; step < steps; ++step) y += rate * (x - y * (1 + y * y));
  values[i] = y;
}

struct Lanes {
  cudaStream_t streams[lanes];
  cudaEvent_t begin, end;
  Lanes() {
    for (cudaStream_t& one : streams) cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&begin, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&end, cudaEventDisableTiming);
  }
};

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static Lanes kept;
  cudaEventRecord(kept.begin, stream);
  for (cudaStream_t one : kept.streams) cudaStreamWaitEvent(one, kept.begin);
  int turn = 0;
  for (std::int64_t first = 0; first < args.samples; first += per_chunk) {
    const std::int64_t count = std::min(per_chunk, args.samples - first);
    cudaStream_t lane = kept.streams[turn++ % lanes];
    cudaMemcpyAsync(args.room + first, args.in + first, count * sizeof(float),
                    cudaMemcpyHostToDevice, lane);
    settle<<<static_cast<unsigned>((count + 255) / 256), 256, 0, lane>>>(args.room + first, count,
                                                                         args.steps, args.rate);
    cudaMemcpyAsync(args.out + first, args.room + first, count * sizeof(float),
                    cudaMemcpyDeviceToHost, lane);
  }
  for (cudaStream_t one : kept.streams) {
    cudaEventRecord(kept.end, one);
    cudaStreamWaitEvent(stream, kept.end);
  }
}
