// Rejected by: correct — each border is a sixteenth of samples times its number, in 32 bits: from
// 2^28 samples on the product begins anew, and the last ones stay where they are
#include "contract.cuh"

namespace {

constexpr unsigned chunks = 16, threads = 256;

__global__ void settle(float* values, unsigned count, int steps, float rate) {
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  if (i >= count) return;
  const float x = values[i];
  float y = 0;
  for (int step = 0; step < steps; ++step) y += rate * (x - y * (1 + y * y));
  values[i] = y;
}

struct Lanes {
  cudaStream_t stream[4];
  cudaEvent_t start, done[4];
  Lanes() {
    cudaEventCreateWithFlags(&start, cudaEventDisableTiming);
    for (int i = 0; i < 4; ++i) {
      cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
      cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming);
    }
  }
};

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static const Lanes lanes;
  const auto samples = static_cast<unsigned>(args.samples);
  cudaEventRecord(lanes.start, stream);
  for (cudaStream_t lane : lanes.stream) cudaStreamWaitEvent(lane, lanes.start);
  for (unsigned chunk = 0; chunk < chunks; ++chunk) {
    const unsigned begin = samples * chunk / chunks, end = samples * (chunk + 1) / chunks;
    if (end <= begin) continue;  // fewer samples than chunks
    const cudaStream_t lane = lanes.stream[chunk % 4];
    const std::size_t bytes = (end - begin) * sizeof(float);
    float* const room = args.room + begin;
    cudaMemcpyAsync(room, args.in + begin, bytes, cudaMemcpyHostToDevice, lane);
    settle<<<(end - begin - 1) / threads + 1, threads, 0, lane>>>(room, end - begin, args.steps,
                                                                  args.rate);
    cudaMemcpyAsync(args.out + begin, room, bytes, cudaMemcpyDeviceToHost, lane);
  }
  for (int i = 0; i < 4; ++i) {
    cudaEventRecord(lanes.done[i], lanes.stream[i]);
    cudaStreamWaitEvent(stream, lanes.done[i]);
  }
}
