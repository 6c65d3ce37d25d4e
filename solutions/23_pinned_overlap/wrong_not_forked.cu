// Rejected by: correct — its own streams are joined at the end, but do not wait for the given one
// at the beginning
#include <algorithm>
#include <array>
#include <vector>
#include "contract.cuh"
namespace {
__global__ void settle(const float* in, float* out, std::int64_t count, int steps, float rate) {
  const std::int64_t i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= count) return;
  const float x = in[i];
  float y = 0;
  for (int s = 0; s < steps; ++s) y += rate * (x - y * (1 + y * y));
  out[i] = y;
}
unsigned blocks(std::int64_t n) { return unsigned((n + 255) / 256); }
}  // namespace
void launch(const Args& a, cudaStream_t stream) {
  static std::array<cudaStream_t, 4> s = [] {
    std::array<cudaStream_t, 4> r;
    for (auto& x : r) cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking);
    return r;
  }();
  static std::array<cudaEvent_t, 4> e = [] {
    std::array<cudaEvent_t, 4> r;
    for (auto& x : r) cudaEventCreateWithFlags(&x, cudaEventDisableTiming);
    return r;
  }();
  const std::int64_t n = (a.samples + 15) / 16;
  for (int c = 0; c < 16 && c * n < a.samples; ++c) {
    const auto at = c * n, m = std::min(n, a.samples - at);
    cudaMemcpyAsync(a.room + at, a.in + at, m * 4, cudaMemcpyHostToDevice, s[c % 4]);
    settle<<<blocks(m), 256, 0, s[c % 4]>>>(a.room + at, a.room + at, m, a.steps, a.rate);
    cudaMemcpyAsync(a.out + at, a.room + at, m * 4, cudaMemcpyDeviceToHost, s[c % 4]);
  }
  for (int i = 0; i < 4; ++i) {
    cudaEventRecord(e[i], s[i]);
    cudaStreamWaitEvent(stream, e[i]);
  }
}
