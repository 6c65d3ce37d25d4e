// Cuts the samples into chunks and hands them to a few streams in turn: while one chunk is on its
// way to the device, another one settles, and a third is on its way back.
#include "contract.cuh"

#include <algorithm>

#ifndef BLOCK
#define BLOCK 256  // threads a block
#endif
#ifndef CHUNKS
#define CHUNKS 32  // pieces that the samples are cut into
#endif
#ifndef STREAMS
#define STREAMS 4  // chunks that are under way at the same time
#endif

namespace {

__global__ void settle(float* values, std::int64_t count, int steps, float rate) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const float x = values[i];
  float y = 0;
  for (int step = 0; step < steps; ++step) y += rate * (x - y * (1 + y * y));
  values[i] = y;
}

// Streams are made once: making one takes longer than a chunk.
struct Lanes {
  cudaStream_t stream[STREAMS];
  cudaEvent_t done[STREAMS];
  cudaEvent_t start;

  Lanes() {
    for (cudaStream_t& one : stream) cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    for (cudaEvent_t& one : done) cudaEventCreateWithFlags(&one, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&start, cudaEventDisableTiming);
  }
};

void run_chunk(const Args& args, std::int64_t first, std::int64_t count, cudaStream_t stream) {
  const std::size_t bytes = count * sizeof(float);
  const auto blocks = static_cast<unsigned>((count + BLOCK - 1) / BLOCK);
  float* room = args.room + first;
  cudaMemcpyAsync(room, args.in + first, bytes, cudaMemcpyHostToDevice, stream);
  settle<<<blocks, BLOCK, 0, stream>>>(room, count, args.steps, args.rate);
  cudaMemcpyAsync(args.out + first, room, bytes, cudaMemcpyDeviceToHost, stream);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static const Lanes lanes;
  // A chunk ends on a boundary of 4 KiB, and is not so small that starting it takes longer.
  const std::int64_t share = (args.samples + CHUNKS - 1) / CHUNKS;
  const std::int64_t chunk = std::max<std::int64_t>((share + 1023) / 1024 * 1024, 8192);

  cudaEventRecord(lanes.start, stream);
  for (cudaStream_t lane : lanes.stream) cudaStreamWaitEvent(lane, lanes.start);
  int lane = 0;
  for (std::int64_t first = 0; first < args.samples; first += chunk) {
    run_chunk(args, first, std::min(chunk, args.samples - first), lanes.stream[lane]);
    lane = (lane + 1) % STREAMS;
  }
  for (int i = 0; i < STREAMS; ++i) {
    cudaEventRecord(lanes.done[i], lanes.stream[i]);
    cudaStreamWaitEvent(stream, lanes.done[i]);
  }
}
