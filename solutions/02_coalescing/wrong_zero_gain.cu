// Rejected by: correct — a gain of zero gives zeros without a look at the row; infinity and NaN
// times zero are NaN
#include "contract.cuh"
namespace {
__global__ void scale(Args a) {
  const std::int64_t row = blockIdx.x;
  const float g = a.gain[row];
  for (std::int64_t c = threadIdx.x; c < a.columns; c += blockDim.x)
    a.out[row * a.columns + c] = g == 0 ? 0.0f : g * a.in[row * a.columns + c];
}
}  // namespace
void launch(const Args& a, cudaStream_t stream) { scale<<<unsigned(a.rows), 128, 0, stream>>>(a); }
