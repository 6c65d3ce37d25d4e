// Host code and kernels share memory, and neither touches what the other is at.
#include <cuda_runtime.h>

#include <cstdio>

__managed__ int rounds;

__global__ void add(int* values, int amount) {
  values[threadIdx.x] += amount;
  if (threadIdx.x == 0) ++rounds;
}

extern "C" int run() {
  int *managed = nullptr, *pinned = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t behind = nullptr;
  cudaStreamCreate(&stream);
  cudaEventCreate(&behind);
  cudaMallocManaged(&managed, 8192);
  cudaHostAlloc(&pinned, 8192, cudaHostAllocMapped);
  for (int i = 0; i < 2048; ++i) managed[i] = pinned[i] = 0;
  // Halves: the kernel has the one, the host the other.
  for (int round = 0; round < 3; ++round) {
    add<<<1, 256, 0, stream>>>(managed, 1);
    add<<<1, 256, 0, stream>>>(pinned, 2);
    for (int i = 1024; i < 2048; ++i) managed[i] += pinned[i] + round;
    cudaStreamSynchronize(stream);
    if (managed[7] != round + 1 || pinned[7] != 2 * round + 2 || rounds != 2 * round + 2) return 1;
  }
  // A host function between two kernels, and an event behind the first of two streams' work.
  add<<<1, 32, 0, stream>>>(managed, 1);
  cudaLaunchHostFunc(
      stream, [](void* values) { static_cast<int*>(values)[0] = 100; }, managed);
  add<<<1, 32, 0, stream>>>(managed, 1);
  cudaEventRecord(behind, stream);
  add<<<1, 32>>>(pinned, 1);
  cudaEventSynchronize(behind);
  managed[1] = managed[0];
  cudaDeviceSynchronize();
  // The system reads what no kernel is at.
  add<<<1, 32, 0, stream>>>(managed, 1);
  std::FILE* file = std::fopen("/dev/null", "w");
  const bool written = std::fwrite(pinned, 8192, 1, file) == 1 && std::fflush(file) == 0;
  std::fclose(file);
  cudaDeviceSynchronize();
  const bool right = managed[1] == 102 && managed[0] == 102;
  cudaFree(managed);
  cudaFreeHost(pinned);
  return right && written ? 0 : 2;
}
