// Rejected by: cause or time — every step still ends with a wait for the device, in the call that
// frees a byte
#include "contract.cuh"

#include <utility>

namespace {

__global__ void spread(const float* now, float* next, Args args, int step) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= args.cells) return;
  const float left = now[i == 0 ? args.cells - 1 : i - 1];
  const float right = now[i == args.cells - 1 ? 0 : i + 1];
  next[i] = 0.5f * now[i] + 0.25f * (left + right);
  if (i == args.probe) args.history[step] = next[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.cells + 255) / 256);
  float *now = args.state, *next = args.scratch;
  for (int step = 0; step < args.steps; ++step) {
    void* byte = nullptr;
    cudaMalloc(&byte, 1);
    spread<<<blocks, 256, 0, stream>>>(now, next, args, step);
    cudaFree(byte);
    std::swap(now, next);
  }
  if (now != args.state)
    cudaMemcpyAsync(args.state, now, args.cells * sizeof(float), cudaMemcpyDeviceToDevice, stream);
}
