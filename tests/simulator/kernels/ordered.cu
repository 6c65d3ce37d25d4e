// Streams that events order, and blocks that a fence orders: nothing in here is a race.
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
  // The host has seen the end of either.
  mark<<<blocks, block, 0, one>>>(room);
  return cudaDeviceSynchronize();
}
