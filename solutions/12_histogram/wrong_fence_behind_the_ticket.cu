// Rejected by: correct — the fence lies behind the ticket that tells the last block of the counters
#include "contract.cuh"

#include <cooperative_groups.h>

namespace {

constexpr unsigned groups = 128;
__device__ unsigned left_behind[values * groups];
__device__ unsigned tickets;

__global__ void counted(const Args a) {
  const auto block = cooperative_groups::this_thread_block();
  __shared__ unsigned bins[values];
  __shared__ unsigned mine;
  if (block.thread_rank() < values) bins[block.thread_rank()] = 0;
  block.sync();
  const auto grid = cooperative_groups::this_grid();
  for (unsigned long long p = grid.thread_rank(); p < a.count; p += grid.size())
    atomicAdd(bins + a.pixels[p], 1u);
  block.sync();
  if (block.thread_rank() < values)
    left_behind[block.thread_rank() * groups + blockIdx.x] = bins[block.thread_rank()];
  block.sync();
  if (block.thread_rank() == 0) mine = atomicAdd(&tickets, 1u);
  __threadfence();
  block.sync();
  if (mine != groups - 1) return;
  if (block.thread_rank() < values) {
    unsigned total = 0;
    for (unsigned g = 0; g < groups; ++g) total += left_behind[block.thread_rank() * groups + g];
    a.counts[block.thread_rank()] = total;
  }
}

}  // namespace

void launch(const Args& a, cudaStream_t stream) {
  void* zero = nullptr;
  cudaGetSymbolAddress(&zero, tickets);
  cudaMemsetAsync(zero, 0, sizeof tickets, stream);
  counted<<<groups, 1024, 0, stream>>>(a);
}
