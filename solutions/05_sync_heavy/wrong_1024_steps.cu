// Rejected by: correct — sends the log home in one block of 1,024 values, however many steps there
// are
#include "contract.cuh"

#include <utility>

namespace {

__global__ void spread(const float* now, float* next, std::int64_t cells, std::int64_t probe,
                       float* noted) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= cells) return;
  const float left = now[i == 0 ? cells - 1 : i - 1];
  const float right = now[i == cells - 1 ? 0 : i + 1];
  next[i] = 0.5f * now[i] + 0.25f * (left + right);
  if (i == probe) *noted = next[i];
}

__global__ void send(const float* log, float* history, int steps) {
  const int step = threadIdx.x;
  if (step < steps) history[step] = log[step];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.cells + 255) / 256);
  float* now = args.state;
  float* next = args.scratch;
  for (int step = 0; step < args.steps; ++step) {
    spread<<<blocks, 256, 0, stream>>>(now, next, args.cells, args.probe, &args.log[step]);
    std::swap(now, next);
  }
  send<<<1, 1024, 0, stream>>>(args.log, args.history, args.steps);
  if (now != args.state) {
    cudaMemcpyAsync(args.state, now, args.cells * sizeof(float), cudaMemcpyDeviceToDevice, stream);
  }
}
