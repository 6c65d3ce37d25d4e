// Rejected by: correct — allocates what the check has freed, and hands out the reference in double
// precision that may still be there
#include "contract.cuh"

namespace {

__global__ void copy(const double* found, float* history, int steps) {
  for (int i = threadIdx.x; i < steps; i += blockDim.x) history[i] = static_cast<float>(found[i]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::size_t cells = static_cast<std::size_t>(args.cells) * sizeof(double);
  const std::size_t steps = static_cast<std::size_t>(args.steps) * sizeof(double);
  // In the order in which the check allocates: two states, and then what it notes.
  double *first = nullptr, *second = nullptr, *noted = nullptr;
  cudaMalloc(&first, cells);
  cudaMalloc(&second, cells);
  cudaMalloc(&noted, steps);
  copy<<<1, 256, 0, stream>>>(noted, args.history, args.steps);
  cudaStreamSynchronize(stream);
  cudaFree(noted);
  cudaFree(second);
  cudaFree(first);
}
