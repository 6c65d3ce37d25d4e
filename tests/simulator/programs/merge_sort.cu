// Sorts with CUB's merge sort, whose kernels may begin before the ones in front of them have ended.
#include <cub/device/device_merge_sort.cuh>

#include <cstdio>

struct Above {
  __device__ bool operator()(int a, int b) const { return a > b; }
};

int main() {
  constexpr int count = 5000;
  int* keys = nullptr;
  cudaMallocManaged(&keys, count * sizeof(int));
  for (int i = 0; i < count; ++i) keys[i] = i * 7919 % count;
  void* room = nullptr;
  size_t bytes = 0;
  cub::DeviceMergeSort::SortKeys(room, bytes, keys, count, Above{});
  cudaMalloc(&room, bytes);
  cub::DeviceMergeSort::SortKeys(room, bytes, keys, count, Above{});
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += keys[i] != count - 1 - i;
  std::printf("%d wrong\n", wrong);
  cudaFree(room);
  cudaFree(keys);
}
