// Rejected by: correct — chunks on three streams; where one begins is an int, which turns negative
// in the middle of a long recording
#include <algorithm>

#include "contract.cuh"

namespace {

__global__ void settle(float* values, int count, int steps, float rate) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const float x = values[i];
  float y = 0;
  for (int step = 0; step < steps; ++step) y += rate * (x - y * (1 + y * y));
  values[i] = y;
}

constexpr int lanes = 3;
constexpr std::int64_t each = std::int64_t{1} << 28;

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static cudaStream_t side[lanes];
  static cudaEvent_t begun, done[lanes];
  if (begun == nullptr) {
    cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);
    for (int lane = 0; lane < lanes; ++lane) {
      cudaStreamCreateWithFlags(&side[lane], cudaStreamNonBlocking);
      cudaEventCreateWithFlags(&done[lane], cudaEventDisableTiming);
    }
  }
  cudaEventRecord(begun, stream);
  for (const cudaStream_t one : side) cudaStreamWaitEvent(one, begun);
  for (std::int64_t part = 0; part * each < args.samples; ++part) {
    const int from = static_cast<int>(part * each);
    const int count = static_cast<int>(std::min(each, args.samples - part * each));
    const cudaStream_t one = side[part % lanes];
    const std::size_t bytes = count * sizeof(float);
    cudaMemcpyAsync(args.room + from, args.in + from, bytes, cudaMemcpyHostToDevice, one);
    settle<<<(count + 127) / 128, 128, 0, one>>>(args.room + from, count, args.steps, args.rate);
    cudaMemcpyAsync(args.out + from, args.room + from, bytes, cudaMemcpyDeviceToHost, one);
  }
  for (int lane = 0; lane < lanes; ++lane) {
    cudaEventRecord(done[lane], side[lane]);
    cudaStreamWaitEvent(stream, done[lane]);
  }
}
