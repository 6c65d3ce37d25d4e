// Rejected by: correct — room is taken once a call, but a cell's place is an int, and a ring may be
// longer than that counts
#include "contract.cuh"

namespace {

__global__ void half_step(const float* from, float* to, int last, float share) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= last; i += gridDim.x * blockDim.x) {
    const float own = from[i], left = from[i > 0 ? i - 1 : last],
                right = from[i < last ? i + 1 : 0];
    to[i] = own + share * (left + right - 2 * own);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const int last = static_cast<int>(args.cells) - 1;
  float* between = nullptr;
  cudaMallocAsync(&between, args.cells * sizeof(float), stream);
  float share = first_share;
  for (int step = 0; step < args.steps; ++step) {
    half_step<<<528, 256, 0, stream>>>(args.state, between, last, share);
    half_step<<<528, 256, 0, stream>>>(between, args.state, last, share);
    cudaMemcpyAsync(args.history + step, args.state + args.probe, sizeof(float), cudaMemcpyDefault,
                    stream);
    cudaStreamSynchronize(stream);
    share = share_after(args.history[step]);
  }
  cudaFreeAsync(between, stream);
}
