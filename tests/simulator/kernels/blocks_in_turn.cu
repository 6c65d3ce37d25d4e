// Blocks that take turns by a word that all of them read and write: nothing in here is a race.
#include <cuda_runtime.h>

namespace {

struct Room {
  unsigned next, serving, turn, sum, held;
};

// Whoever is served says who is next.
__global__ void ticket_lock(volatile Room* room) {
  if (threadIdx.x != 0) return;
  const unsigned mine = atomicAdd(const_cast<unsigned*>(&room->next), 1);
  while (room->serving != mine) {
  }
  __threadfence();
  room->sum = room->sum + 1;
  __threadfence();
  room->serving = room->serving + 1;
}

// One block after the other, in the order of their numbers.
__global__ void token(volatile Room* room, int* data) {
  if (threadIdx.x == 0)
    while (room->turn != blockIdx.x) {
    }
  __syncthreads();
  __threadfence();
  data[threadIdx.x] += 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) room->turn = blockIdx.x + 1;
}

// Past L1, where a lock keeps one block from another.
__global__ void past_l1(Room* room, int* data) {
  if (threadIdx.x == 0)
    while (atomicCAS(&room->held, 0, 1) != 0) {
    }
  __syncthreads();
  __threadfence();
  __stcg(data + threadIdx.x, __ldcg(data + threadIdx.x) + 1);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(&room->held, 0);
}

}  // namespace

extern "C" int run() {
  Room* room = nullptr;
  int* data = nullptr;
  cudaMalloc(&room, sizeof(Room));
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMemset(room, 0, sizeof(Room));
  cudaMemset(data, 0, 64 * sizeof(int));
  ticket_lock<<<4, 32>>>(room);
  token<<<4, 64>>>(room, data);
  past_l1<<<4, 64>>>(room, data);
  return cudaDeviceSynchronize();
}
