// Rejected by: correct or time — computes on a stream of its own that waits for nothing before, so
// that the work is done before the clock starts; the given stream only copies
#include "contract.cuh"

namespace {

constexpr int block = 128;

__global__ void __launch_bounds__(block) filter_bank(Args args, float* energies) {
  const std::int64_t channel = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  if (channel >= args.channels) return;
  float state[filters] = {};
#pragma unroll 8
  for (std::int64_t sample = 0; sample < args.samples; ++sample) {
    const float x = args.signal[sample * args.channels + channel];
#pragma unroll
    for (int k = 0; k < filters; ++k) state[k] = keep(k) * state[k] + x;
  }
  float energy = 0;
#pragma unroll
  for (int k = 0; k < filters; ++k) energy += state[k] * state[k];
  energies[channel] = energy;
}

cudaStream_t side = nullptr;
cudaEvent_t ready = nullptr;
float* ahead = nullptr;
std::int64_t room = 0;

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (!side) {
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
  }
  if (room < args.channels) {
    cudaFree(ahead);
    cudaMalloc(&ahead, args.channels * sizeof(float));
    room = args.channels;
  }
  const auto blocks = static_cast<unsigned>((args.channels + block - 1) / block);
  filter_bank<<<blocks, block, 0, side>>>(args, ahead);
  cudaEventRecord(ready, side);
  cudaStreamWaitEvent(stream, ready, 0);
  cudaMemcpyAsync(args.energy, ahead, args.channels * sizeof(float), cudaMemcpyDeviceToDevice,
                  stream);
}
