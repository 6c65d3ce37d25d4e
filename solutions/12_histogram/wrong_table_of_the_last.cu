// Rejected by: correct — counters in the module's memory, and beside each the launch that it is of,
// in a byte: the 256th launch after one that used a counter takes it for its own
#include "contract.cuh"

namespace {

constexpr int block = 256, blocks = 64;

__device__ unsigned total[values];
__device__ unsigned char of_launch[values];
__device__ unsigned finished;

/// The first block to add to a counter in this launch sets it to zero; under a lock of its own.
__device__ int lock[values];

__device__ void add(int value, unsigned count, unsigned char launch) {
  while (atomicCAS(&lock[value], 0, 1) != 0) __nanosleep(20);
  __threadfence();
  volatile unsigned* sum = &total[value];
  volatile unsigned char* of = &of_launch[value];
  *sum = count + (*of == launch ? *sum : 0);
  *of = launch;
  __threadfence();
  atomicExch(&lock[value], 0);
}

__global__ void count(Args args, unsigned char launch) {
  __shared__ unsigned mine[values];
  __shared__ bool last;
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x; i < args.count;
       i += blocks * block)
    atomicAdd(&mine[args.pixels[i]], 1u);
  __syncthreads();
  if (mine[threadIdx.x] > 0) add(threadIdx.x, mine[threadIdx.x], launch);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&finished, 1u) % blocks == blocks - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  const bool used = __ldcg(&of_launch[threadIdx.x]) == launch;
  args.counts[threadIdx.x] = used ? __ldcg(&total[threadIdx.x]) : 0;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static unsigned char launches = 0;
  count<<<blocks, block, 0, stream>>>(args, ++launches);
}
