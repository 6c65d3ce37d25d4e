// Rejected by: correct — all threads of a block write what the last block adds up, but the fence is
// one thread's, which does not know whether the others have written
#include "contract.cuh"

namespace {

constexpr int stretch = 65536, room = 65536;  // blocks: 2^32 pixels
__device__ unsigned parts[room * values], arrived;

__global__ void count(Args args) {
  __shared__ unsigned seen[values], before;
  seen[threadIdx.x] = 0;
  __syncthreads();
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * stretch;
  for (int k = threadIdx.x; k < stretch && begin + k < args.count; k += values)
    atomicAdd(seen + args.pixels[begin + k], 1u);
  __syncthreads();
  parts[blockIdx.x * values + threadIdx.x] = seen[threadIdx.x];
  if (threadIdx.x == 0) {
    __threadfence();
    before = atomicAdd(&arrived, 1u);
  }
  __syncthreads();
  if (before + 1 < gridDim.x) return;
  unsigned all = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) all += parts[block * values + threadIdx.x];
  args.counts[threadIdx.x] = all;
  if (threadIdx.x == 0) arrived = 0;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  count<<<static_cast<unsigned>((args.count - 1) / stretch + 1), values, 0, stream>>>(args);
}
