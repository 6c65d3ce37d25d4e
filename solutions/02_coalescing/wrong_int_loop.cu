// Rejected by: correct — some blocks loop over all rows, and the index of an element is an int:
// wrong behind the first 2,147,483,648 of them
#include "contract.cuh"
namespace {
__global__ void scale(const float* in, const float* gain, float* out, int rows, int columns) {
  for (int row = blockIdx.x; row < rows; row += gridDim.x)
    for (int c = threadIdx.x; c < columns; c += blockDim.x) {
      const int i = row * columns + c;
      out[i] = gain[row] * in[i];
    }
}
}  // namespace
void launch(const Args& a, cudaStream_t stream) {
  const int blocks = a.rows < 100000 ? int(a.rows) : 100000;
  scale<<<blocks, 128, 0, stream>>>(a.in, a.gain, a.out, int(a.rows), int(a.columns));
}
