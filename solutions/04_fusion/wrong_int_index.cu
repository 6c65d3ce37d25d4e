// Rejected by: correct — the number of an element is an int, which turns negative from the element
// number 2,147,483,648 on
#include "contract.cuh"

#define BLOCK 256

namespace {

__global__ void apply(Args a) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= a.count) return;
  a.out[i] = a.residual[i] + fmaxf(a.scale * a.in[i] + a.bias, 0.0f);
}

}  // namespace

void launch(const Args& a, cudaStream_t stream) {
  apply<<<static_cast<unsigned>((a.count + BLOCK - 1) / BLOCK), BLOCK, 0, stream>>>(a);
}
