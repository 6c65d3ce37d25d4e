// Rejected by: correct — a cell's number is an int, and the ring of a contract may be longer: its
// far half is then never reached
#include <utility>

#include "contract.cuh"

namespace {

__global__ void warm(const float* from, float* to, int last, int probe, float* note) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= last; i += gridDim.x * blockDim.x) {
    const float sum = from[i > 0 ? i - 1 : last] + from[i < last ? i + 1 : 0];
    to[i] = 0.5f * from[i] + 0.25f * sum;
    if (i == probe) *note = to[i];
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  float *from = args.state, *to = args.scratch;
  for (int step = 0; step < args.steps; ++step, std::swap(from, to))
    warm<<<264, 256, 0, stream>>>(from, to, static_cast<int>(args.cells) - 1,
                                  static_cast<int>(args.probe), args.log + step);
  if (from != args.state)
    cudaMemcpyAsync(args.state, from, args.cells * sizeof(float), cudaMemcpyDefault, stream);
  cudaMemcpyAsync(args.history, args.log, args.steps * sizeof(float), cudaMemcpyDefault, stream);
}
