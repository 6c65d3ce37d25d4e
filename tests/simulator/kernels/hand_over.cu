// Warps of a block that tell each other in order, without a barrier of all: each scenario returns 0
// if the result is right.
#include <cooperative_groups.h>
#include <cuda/latch>

#include "scenario.cuh"

namespace cg = cooperative_groups;

__global__ void by_flag(int* out) {
  __shared__ int values[32];
  __shared__ volatile int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    values[threadIdx.x] = threadIdx.x;
    __syncwarp();
    __threadfence_block();
    if (threadIdx.x == 0) ready = 1;
  } else {
    while (ready == 0) {
    }
    __threadfence_block();
    out[threadIdx.x - 32] = values[threadIdx.x - 32];
  }
}

__global__ void by_last_warp(int* out) {
  __shared__ int values[128], arrived;
  if (threadIdx.x == 0) arrived = 0;
  __syncthreads();
  values[threadIdx.x] = 1;
  __syncwarp();
  bool last = false;
  if (threadIdx.x % 32 == 0) {
    __threadfence_block();
    last = atomicAdd(&arrived, 1) == 3;
    __threadfence_block();
  }
  if (!__shfl_sync(~0u, last, 0)) return;
  int sum = 0;
  for (int i = threadIdx.x % 32; i < 128; i += 32) sum += values[i];
  atomicAdd(out, sum);
}

__global__ void by_named_barriers(int* out) {
  __shared__ int rooms[2][32];
  const bool brings = threadIdx.x < 32;
  const int lane = threadIdx.x % 32;
  int sum = 0;
  for (int turn = 0; turn < 6; ++turn) {
    int* room = rooms[turn % 2];
    const int full = 1 + turn % 2, empty = 3 + turn % 2;
    if (brings) {
      if (turn >= 2) asm volatile("bar.sync %0, 64;" ::"r"(empty) : "memory");
      room[lane] = turn;
      asm volatile("bar.arrive %0, 64;" ::"r"(full) : "memory");
    } else {
      asm volatile("bar.sync %0, 64;" ::"r"(full) : "memory");
      sum += room[31 - lane];
      if (turn < 4) asm volatile("bar.arrive %0, 64;" ::"r"(empty) : "memory");
    }
  }
  if (!brings) out[lane] = sum;
}

__global__ void by_barriers_of_both_ways(int* out) {
  __shared__ int values[32];
  const int lane = threadIdx.x;
  for (int turn = 0; turn < 3; ++turn) {
    if (lane < 12) {
      values[lane] = lane * turn;
      __syncwarp();
      out[lane] = values[lane + 16];
    } else {
      values[lane] = lane + turn;
      __syncwarp();
      out[lane] = values[(lane + 20) % 32 % 12];
    }
    __syncwarp();
  }
}

__global__ void by_latch(int* out) {
  __shared__ int values[128];
  __shared__ alignas(8) char room[sizeof(cuda::latch<cuda::thread_scope_block>)];
  auto* latch = reinterpret_cast<cuda::latch<cuda::thread_scope_block>*>(room);
  if (threadIdx.x == 0) new (latch) cuda::latch<cuda::thread_scope_block>(128);
  __syncthreads();
  values[threadIdx.x] = threadIdx.x;
  latch->arrive_and_wait();
  out[threadIdx.x] = values[127 - threadIdx.x];
}

__global__ void by_tiles_of_two_warps(int* out) {
  __shared__ cg::block_tile_memory<128> room;
  __shared__ int values[128];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block(room));
  values[threadIdx.x] = threadIdx.x;
  tile.sync();
  out[threadIdx.x] = values[threadIdx.x ^ 63];
}

namespace {

template <class Kernel>
int ends_with(Kernel kernel, int threads, int at, int wanted) {
  Check check;
  int* out = zeroed(128);
  kernel<<<1, threads>>>(out);
  check(cudaDeviceSynchronize());
  check(value_of(out + at) == wanted);
  return check.line;
}

}  // namespace

extern "C" {

int flag() { return ends_with(by_flag, 64, 5, 5); }
int last_warp() { return ends_with(by_last_warp, 128, 0, 128); }
int named_barriers() { return ends_with(by_named_barriers, 64, 3, 15); }
int barriers_of_both_ways() { return ends_with(by_barriers_of_both_ways, 32, 3, 21); }
int latch() { return ends_with(by_latch, 128, 0, 127); }
int tiles_of_two_warps() { return ends_with(by_tiles_of_two_warps, 128, 0, 63); }

}  // extern "C"
