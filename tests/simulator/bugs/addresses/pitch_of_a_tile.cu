// expect: misaligned. Rows of halves lie 40 bytes apart, and wmma asks for multiples of 16.
// settings: {"checks": "full"}
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

__global__ void copy_tile(const __half* in, __half* out) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, __half> tile;
  wmma::load_matrix_sync(tile, in, 20, wmma::mem_row_major);  // BUG
  wmma::store_matrix_sync(out, tile, 16, wmma::mem_row_major);
}

extern "C" int run() {
  __half *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 320 * sizeof(__half));
  cudaMalloc(&out, 256 * sizeof(__half));
  cudaMemset(in, 0, 320 * sizeof(__half));
  copy_tile<<<1, 32>>>(in, out);
  return cudaDeviceSynchronize();
}
