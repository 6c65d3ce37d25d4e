// Rejected by: correct — the grid is sized for the 1,024 threads a block that the runtime
// recommends here, and the block is what it recommends: 768 where a multiprocessor has room for
// 1,536 threads
#include "contract.cuh"

namespace {

constexpr int recommended = 1024;

__global__ void limit(Args a) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < a.count) a.out[i] = fminf(fmaxf(a.in[i], a.low), a.high);
}

int recommended_block() {
  int blocks = 0, threads = 0;
  cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, limit);
  return threads;
}

}  // namespace

void launch(const Args& a, cudaStream_t stream) {
  static const int threads = recommended_block();
  const auto blocks = static_cast<unsigned>((a.count + recommended - 1) / recommended);
  limit<<<blocks, threads, 0, stream>>>(a);
}
