// One step of gradient descent for every tensor of a model.
#include "contract.cuh"

#ifndef BLOCK
#define BLOCK 256  // threads a block
#endif

namespace {

__global__ void descend(float* weights, const float* gradients, std::int64_t count,
                        const float* rate) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < count) weights[i] -= *rate * gradients[i];
}

}  // namespace

// TODO: this is correct, but slow. Make it faster and keep its results.
void launch(const Args& args, cudaStream_t stream) {
  for (int tensor = 0; tensor < args.tensors; ++tensor) {
    const std::int64_t start = args.starts[tensor];
    const std::int64_t count = args.starts[tensor + 1] - start;
    const auto blocks = static_cast<unsigned>((count + BLOCK - 1) / BLOCK);
    descend<<<blocks, BLOCK, 0, stream>>>(args.weights + start, args.gradients + start, count,
                                          args.rates + tensor);
  }
}
