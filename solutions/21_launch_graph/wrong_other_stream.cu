// Rejected by: correct — works on the default stream and waits for the device at its end, whatever
// is under way in the given one
#include "contract.cuh"
namespace {
__global__ void descend(Args a) {
  for (std::int64_t i = a.table[blockIdx.x] + threadIdx.x; i < a.table[blockIdx.x + 1];
       i += blockDim.x)
    a.weights[i] -= a.rates[blockIdx.x] * a.gradients[i];
}
}  // namespace
void launch(const Args& a, cudaStream_t) {
  cudaMemcpy(a.table, a.starts, (a.tensors + 1) * sizeof(std::int64_t), cudaMemcpyHostToDevice);
  descend<<<unsigned(a.tensors), 128>>>(a);
  cudaDeviceSynchronize();
}
