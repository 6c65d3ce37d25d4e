// Rejected by: correct — the edges of the chunks are shares of all samples, computed in float:
// beyond 16,777,216 samples the last edge may lie before the end or behind it
#include "contract.cuh"

namespace {

constexpr int block = 256;
constexpr int chunks = 32;

constexpr int lanes = 4;

__global__ void settle(float* values, std::int64_t count, int steps, float rate) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const float x = values[i];
  float y = 0;
  for (int step = 0; step < steps; ++step) y += rate * (x - y * (1 + y * y));
  values[i] = y;
}

// Where chunk k begins, and the one before it ends: nothing is left out and nothing done twice.
std::int64_t edge(std::int64_t samples, int k) {
  return static_cast<std::int64_t>(samples * (k / static_cast<float>(chunks)));
}

struct Lane {
  cudaStream_t stream;
  cudaEvent_t done;
  Lane() {
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  }
};

cudaEvent_t new_event() {
  cudaEvent_t event = nullptr;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  return event;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static Lane lane[lanes];
  static const cudaEvent_t start = new_event();

  cudaEventRecord(start, stream);
  for (const Lane& l : lane) cudaStreamWaitEvent(l.stream, start, 0);

  for (int k = 0; k < chunks; ++k) {
    const std::int64_t begin = edge(args.samples, k);
    const std::int64_t end = edge(args.samples, k + 1);
    if (begin == end) continue;  // fewer samples than chunks
    const std::int64_t count = end - begin;
    const std::size_t bytes = count * sizeof(float);
    const auto blocks = static_cast<unsigned>((count + block - 1) / block);
    float* const values = args.room + begin;
    const cudaStream_t s = lane[k % lanes].stream;
    cudaMemcpyAsync(values, args.in + begin, bytes, cudaMemcpyHostToDevice, s);
    settle<<<blocks, block, 0, s>>>(values, count, args.steps, args.rate);
    cudaMemcpyAsync(args.out + begin, values, bytes, cudaMemcpyDeviceToHost, s);
  }

  for (const Lane& l : lane) {
    cudaEventRecord(l.done, l.stream);
    cudaStreamWaitEvent(stream, l.done, 0);
  }
}
