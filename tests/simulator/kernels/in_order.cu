// Lanes, warps and blocks of a cluster that hand over in order, and hints about memory: nothing in
// here is a race.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>

#include <cuda/atomic>

namespace {

namespace cg = cooperative_groups;

// ---- through global memory, within a block ----
__global__ void lanes_meet(int* data) {
  data[threadIdx.x] = threadIdx.x;
  __syncwarp();
  int sum = data[threadIdx.x ^ 1];
  sum = __shfl_xor_sync(~0u, sum, 1);
  data[64 + threadIdx.x] = sum;
  const bool any = __any_sync(~0u, sum > 0);
  __syncwarp();
  if (any) sum += data[64 + (threadIdx.x ^ 3)];
  data[128 + threadIdx.x] = sum;
}
__global__ void groups_meet(int* data) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  data[threadIdx.x] = threadIdx.x;
  tile.sync();
  const int next = data[threadIdx.x / 8 * 8 + (threadIdx.x + 1) % 8];
  if (threadIdx.x % 2 == 0) {
    const auto active = cg::coalesced_threads();
    data[64 + threadIdx.x] = next;
    active.sync();
    data[128 + threadIdx.x] = data[64 + (threadIdx.x ^ 2)];
  }
}
__global__ void each_for_itself(int* data) {
  for (int turn = 0; turn < 4; ++turn) data[threadIdx.x] = data[threadIdx.x] + turn;
  for (int i = 0; i < 3; ++i) data[64 + threadIdx.x * 3 + i] = i;
  for (int i = 1; i < 3; ++i) data[64 + threadIdx.x * 3 + i] += data[64 + threadIdx.x * 3 + i - 1];
}
__global__ void warps_meet(int* data) {
  data[threadIdx.x] = threadIdx.x;
  __syncthreads();
  data[64 + threadIdx.x] = data[63 - threadIdx.x];
  if (threadIdx.x < 32) {
    data[128 + threadIdx.x] = 1;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    data[128 + threadIdx.x] = data[96 + threadIdx.x];
  }
}
__global__ void a_flag_tells(int* data, int* flag) {
  if (threadIdx.x == 0) {
    data[0] = 7;
    cuda::atomic_ref<int, cuda::thread_scope_device>(*flag).store(1, cuda::memory_order_release);
  } else if (threadIdx.x == 1) {
    while (cuda::atomic_ref<int, cuda::thread_scope_device>(*flag).load(
               cuda::memory_order_acquire) == 0) {
    }
    data[1] = data[0];
  }
}
__global__ void a_fence_and_a_flag(int* data, volatile int* flag) {
  if (threadIdx.x == 32) {
    data[2] = 7;
    __threadfence();
    *flag = 2;
  } else if (threadIdx.x == 0) {
    while (*flag != 2) {
    }
    __threadfence();
    data[3] = data[2];
  }
}

// ---- shared memory of a cluster ----
__global__ void __cluster_dims__(2, 1, 1) cluster_meets(int* out) {
  __shared__ int own[64];
  const auto cluster = cg::this_cluster();
  const int* theirs = cluster.map_shared_rank(own, cluster.block_rank() ^ 1);
  int sum = 0;
  for (int turn = 0; turn < 3; ++turn) {
    own[threadIdx.x] = turn + threadIdx.x;
    cluster.sync();
    sum += theirs[63 - threadIdx.x];
    cluster.sync();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
__global__ void __cluster_dims__(2, 1, 1) cluster_in_two_phases(int* out) {
  __shared__ int own[64], more[64];
  const auto cluster = cg::this_cluster();
  own[threadIdx.x] = threadIdx.x;
  auto token = cluster.barrier_arrive();
  more[threadIdx.x] = 1;
  cluster.barrier_wait(std::move(token));
  const int* theirs = cluster.map_shared_rank(own, cluster.block_rank() ^ 1);
  out[blockIdx.x * 64 + threadIdx.x] = theirs[threadIdx.x ^ 32] + more[threadIdx.x];
  // Nobody leaves before all have read; no memory has to be in order for that.
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}
__global__ void __cluster_dims__(2, 1, 1) cluster_fences(int* out) {
  __shared__ int own[64];
  const auto cluster = cg::this_cluster();
  own[threadIdx.x] = threadIdx.x;
  asm volatile("fence.acq_rel.cluster;" ::: "memory");
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
  out[blockIdx.x * 64 + threadIdx.x] = cluster.map_shared_rank(own, 1)[threadIdx.x];
  cluster.sync();
}
__global__ void __cluster_dims__(2, 1, 1) cluster_adds(int* out) {
  __shared__ int bins[64];
  const auto cluster = cg::this_cluster();
  bins[threadIdx.x] = 0;
  cluster.sync();
  atomicAdd(cluster.map_shared_rank(bins, threadIdx.x % 2) + threadIdx.x, 1);
  atomicAdd(&bins[threadIdx.x ^ 5], 1);
  cluster.sync();
  atomicAdd_block(&bins[threadIdx.x / 2], 1);
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = bins[threadIdx.x];
}
// Its own memory by an address of the cluster's.
__global__ void __cluster_dims__(2, 1, 1) cluster_of_its_own(int* out) {
  __shared__ int own[64];
  const auto cluster = cg::this_cluster();
  int* same = cluster.map_shared_rank(own, cluster.block_rank());
  same[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = own[63 - threadIdx.x];
  cluster.sync();
}

// ---- hints ----
__global__ void hints(int* data) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(data + 64) : "memory");
  asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(data) : "memory");
  if (threadIdx.x == 0) asm volatile("discard.global.L2 [%0], 128;" ::"l"(data) : "memory");
  __syncthreads();
  if (threadIdx.x < 32) data[threadIdx.x] = threadIdx.x;
  __syncthreads();
  data[64 + threadIdx.x] = data[threadIdx.x];
}

}  // namespace

extern "C" int run() {
  int *data = nullptr, *flags = nullptr;
  cudaMalloc(&data, 512 * sizeof(int));
  cudaMalloc(&flags, 2 * sizeof(int));
  cudaMemset(data, 0, 512 * sizeof(int));
  cudaMemset(flags, 0, 2 * sizeof(int));
  lanes_meet<<<1, 64>>>(data);
  groups_meet<<<1, 64>>>(data);
  each_for_itself<<<1, 64>>>(data);
  warps_meet<<<1, 64>>>(data);
  a_flag_tells<<<1, 64>>>(data, flags);
  a_fence_and_a_flag<<<1, 64>>>(data, flags + 1);
  cluster_meets<<<2, 64>>>(data);
  cluster_in_two_phases<<<2, 64>>>(data);
  cluster_fences<<<2, 64>>>(data);
  cluster_adds<<<2, 64>>>(data);
  cluster_of_its_own<<<2, 64>>>(data);
  hints<<<1, 64>>>(data);
  return cudaDeviceSynchronize();
}
