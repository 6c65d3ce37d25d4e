// Rejected by: correct — the stream of the first launch is kept with the grid, and later launches
// go there, whichever stream they are given
#include "contract.cuh"

namespace {

__global__ void add_relu(Args args) {
  const std::int64_t all = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < args.count;
       i += all)
    args.out[i] = args.residual[i] + fmaxf(args.scale * args.in[i] + args.bias, 0.0f);
}

struct Plan {
  cudaStream_t stream;
  int blocks;

  explicit Plan(cudaStream_t given) : stream(given) {
    cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0);
  }
};

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static const Plan plan(stream);
  add_relu<<<8 * plan.blocks, 256, 0, plan.stream>>>(args);
}
