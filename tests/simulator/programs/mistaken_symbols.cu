// Variables of the device that the host takes for its own, sizes that they do not have, and a heap
// of kernels that is full: the first argument says which.
#include <cstdio>
#include <cstring>

__device__ int table[64];
__constant__ float weights[4];

__global__ void read(const int* from, int* out) { out[threadIdx.x] = from[threadIdx.x]; }
__global__ void allocate(int* out) {
  int* room = static_cast<int*>(malloc(64 << 20));
  room[threadIdx.x] = 1;
  out[threadIdx.x] = room[0];
  free(room);
}
__global__ void use(int* out) {
  out[threadIdx.x] = table[threadIdx.x] + int(weights[threadIdx.x % 4]);
}

int main(int, char** arguments) {
  const char* what = arguments[1];
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  const float numbers[64] = {};
  int back[64];
  cudaError_t code = cudaSuccess;
  if (std::strcmp(what, "shadow") == 0) read<<<1, 32>>>(table + 3, out);
  if (std::strcmp(what, "copy") == 0)
    code = cudaMemcpy(table, numbers, sizeof table, cudaMemcpyHostToDevice);
  if (std::strcmp(what, "copy back") == 0)
    code = cudaMemcpy(back, table, sizeof table, cudaMemcpyDeviceToHost);
  if (std::strcmp(what, "memset") == 0) code = cudaMemset(table, 0, sizeof table);
  if (std::strcmp(what, "size") == 0) code = cudaMemcpyToSymbol(weights, numbers, sizeof numbers);
  if (std::strcmp(what, "offset") == 0) code = cudaMemcpyFromSymbol(back, weights, 8, 12);
  if (std::strcmp(what, "malloc") == 0) allocate<<<1, 32>>>(out);
  if (std::strcmp(what, "right") == 0) {
    void* address;
    cudaGetSymbolAddress(&address, table);
    read<<<1, 32>>>(static_cast<int*>(address), out);
    cudaMemcpy(address, numbers, sizeof table, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(weights, numbers, 8, 8);
    use<<<1, 64>>>(out);
  }
  if (code == cudaSuccess) code = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorName(code));
}
