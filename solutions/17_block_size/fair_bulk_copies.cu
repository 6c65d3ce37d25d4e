// Ends in: pass — bulk copies bring each tile and take it away, by one thread of a block
#include "contract.cuh"

#include <cuda/barrier>
#include <cuda/ptx>
#include <utility>

namespace {

constexpr int tile_samples = 1024, threads = 256;

__device__ float limited(float sample, const Args& a) {
  return fminf(fmaxf(sample, a.low), a.high);
}

__global__ void limit(Args a) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(128) float tile[tile_samples];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier full;
  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(tile_samples);
  if (first + tile_samples > a.count) {  // less than a whole tile is left
    for (std::int64_t i = first + threadIdx.x; i < a.count; i += threads)
      a.out[i] = limited(a.in[i], a);
    return;
  }
  if (threadIdx.x == 0) init(&full, threads);
  __syncthreads();
  if (threadIdx.x == 0)
    cuda::memcpy_async(tile, a.in + first, cuda::aligned_size_t<16>(sizeof tile), full);
  full.wait(full.arrive());
  for (int i = threadIdx.x; i < tile_samples; i += threads) tile[i] = limited(tile[i], a);
  cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  __syncthreads();
  if (threadIdx.x != 0) return;
  cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared, a.out + first, tile,
                           sizeof tile);
  cuda::ptx::cp_async_bulk_commit_group();
  cuda::ptx::cp_async_bulk_wait_group_read(cuda::ptx::n32_t<0>{});
}

}  // namespace

void launch(const Args& a, cudaStream_t stream) {
  limit<<<static_cast<unsigned>((a.count + tile_samples - 1) / tile_samples), threads, 0, stream>>>(
      a);
}
