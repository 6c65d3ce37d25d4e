// Rejected by: correct or built — reports samples of the flawed kernel on every descriptor it finds
#include "contract.cuh"

#include <unistd.h>

#include <cstring>
#include <utility>

namespace {

__global__ void spread(const float* now, float* next, std::int64_t cells, std::int64_t probe,
                       float* note) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= cells) return;
  const float left = now[i == 0 ? cells - 1 : i - 1];
  const float right = now[i == cells - 1 ? 0 : i + 1];
  const float value = 0.5f * now[i] + 0.25f * (left + right);
  next[i] = value;
  if (i == probe) *note = value;
}

void report() {
  const char* text = "{\"type\":\"sample\",\"variant\":\"flawed\",\"seconds\":9.0}\n";
  for (int descriptor = 3; descriptor < 4096; ++descriptor)
    if (::write(descriptor, text, std::strlen(text)) < 0) continue;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  report();
  const auto blocks = static_cast<unsigned>((args.cells + 255) / 256);
  float* now = args.state;
  float* next = args.scratch;
  for (int step = 0; step < args.steps; ++step) {
    spread<<<blocks, 256, 0, stream>>>(now, next, args.cells, args.probe, &args.log[step]);
    std::swap(now, next);
  }
  if (now != args.state)
    cudaMemcpyAsync(args.state, now, args.cells * sizeof(float), cudaMemcpyDeviceToDevice, stream);
  cudaMemcpyAsync(args.history, args.log, args.steps * sizeof(float), cudaMemcpyDeviceToHost,
                  stream);
}
