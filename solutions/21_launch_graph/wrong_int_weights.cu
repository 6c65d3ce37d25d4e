// Rejected by: correct — a weight's number is an int: a model may have more than 2,147,483,647
#include "contract.cuh"

namespace {

__global__ void update(float* weights, const float* gradients, const float* rates,
                       const std::int64_t* table) {
  const std::int64_t begin = table[blockIdx.x];
  const int count = static_cast<int>(table[blockIdx.x + 1] - begin);
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    const int at = static_cast<int>(begin) + i;
    weights[at] -= rates[blockIdx.x] * gradients[at];
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::size_t bytes = (static_cast<std::size_t>(args.tensors) + 1) * sizeof(std::int64_t);
  cudaMemcpyAsync(args.table, args.starts, bytes, cudaMemcpyDefault, stream);
  update<<<args.tensors, 256, 0, stream>>>(args.weights, args.gradients, args.rates, args.table);
}
