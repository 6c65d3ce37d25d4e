// Rejected by: correct — all steps on a stream of its own, which does not wait for the given one
#include "contract.cuh"
namespace {
__global__ void spread(const float* from, float* to, std::int64_t cells, float share) {
  const std::int64_t i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= cells) return;
  const float own = from[i], left = from[i == 0 ? cells - 1 : i - 1],
              right = from[i == cells - 1 ? 0 : i + 1];
  to[i] = own + share * (left + right - 2 * own);
}
}  // namespace
void launch(const Args& a, cudaStream_t) {
  static cudaStream_t own = [] {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    return s;
  }();
  float* between = nullptr;
  cudaMallocAsync(&between, a.cells * sizeof(float), own);
  float share = first_share;
  for (int step = 0; step < a.steps; ++step) {
    spread<<<unsigned((a.cells + 255) / 256), 256, 0, own>>>(a.state, between, a.cells, share);
    spread<<<unsigned((a.cells + 255) / 256), 256, 0, own>>>(between, a.state, a.cells, share);
    cudaMemcpyAsync(&a.history[step], &a.state[a.probe], sizeof(float), cudaMemcpyDeviceToHost,
                    own);
    cudaStreamSynchronize(own);
    share = share_after(a.history[step]);
  }
  cudaFreeAsync(between, own);
  cudaStreamSynchronize(own);
}
