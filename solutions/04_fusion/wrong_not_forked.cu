// Rejected by: correct — a stream of its own, joined at the end, but begun without regard to the
// given one
#include "contract.cuh"
namespace {
__global__ void fused(Args a) {
  const std::int64_t i = blockIdx.x * 256ll + threadIdx.x;
  if (i < a.count) a.out[i] = a.residual[i] + fmaxf(a.scale * a.in[i] + a.bias, 0.0f);
}
}  // namespace
void launch(const Args& a, cudaStream_t stream) {
  static cudaStream_t own = [] {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    return s;
  }();
  static cudaEvent_t done = [] {
    cudaEvent_t e;
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    return e;
  }();
  fused<<<unsigned((a.count + 255) / 256), 256, 0, own>>>(a);
  cudaEventRecord(done, own);
  cudaStreamWaitEvent(stream, done, 0);
}
