// Streams that events order, blocks that a fence orders, and those of a cluster that its barrier
// orders: nothing in here is a race.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace {

constexpr int block = 64;
constexpr int blocks = 8;

__global__ void add(int* data, int more) { data[threadIdx.x] += more; }

/// The last block to come adds up what the others left.
__global__ void sum(const int* data, int* parts, unsigned* ticket, int* total) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = data[blockIdx.x];
    __threadfence();
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x > 0) return;
  __threadfence();
  int all = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) all += parts[i];
  *total = all;
}

/// What a thread has written, and then the other block's, between barriers of the cluster alone.
__global__ void __cluster_dims__(2, 1, 1) swap(int* data) {
  __shared__ int own[block];
  const auto cluster = cooperative_groups::this_cluster();
  own[threadIdx.x] = data[threadIdx.x];
  cluster.sync();
  atomicAdd(&own[block - 1 - threadIdx.x], 1);
  cluster.sync();
  const int theirs = *cluster.map_shared_rank(&own[threadIdx.x], 1 - cluster.block_rank());
  cluster.sync();
  own[block - 1 - threadIdx.x] = theirs;
}

/// Every block stores the same.
__global__ void mark(int* flag) { *flag = 1; }

}  // namespace

extern "C" int run() {
  int *room = nullptr, *parts = nullptr, *total = nullptr, *host = nullptr;
  unsigned* ticket = nullptr;
  cudaStream_t one, other;
  cudaEvent_t done;
  cudaMalloc(&room, block * sizeof(int));
  cudaMalloc(&parts, blocks * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMalloc(&ticket, sizeof(unsigned));
  cudaMallocHost(&host, 2 * block * sizeof(int));
  for (int i = 0; i < 2 * block; ++i) host[i] = i;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaEventCreate(&done);
  cudaMemsetAsync(ticket, 0, sizeof(unsigned), one);
  cudaMemcpyAsync(room, host, block * sizeof(int), cudaMemcpyDefault, one);
  add<<<1, block, 0, one>>>(room, 1);
  cudaEventRecord(done, one);
  cudaStreamWaitEvent(other, done);
  // Both read what the first wrote, each writes for itself.
  sum<<<blocks, block, 0, other>>>(room, parts, ticket, total);
  cudaMemcpyAsync(host + block, room, block * sizeof(int), cudaMemcpyDefault, one);
  cudaStreamSynchronize(one);
  cudaStreamSynchronize(other);
  swap<<<2, block, 0, one>>>(room);
  // The host has seen the end of either.
  mark<<<blocks, block, 0, one>>>(room);
  return cudaDeviceSynchronize();
}
