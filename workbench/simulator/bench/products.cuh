// Products of square matrices by tensor cores, for every type that they multiply.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdint>
#include <type_traits>

namespace products {

/// Numbers between -1 and 1, or of a byte.
template <class T>
__global__ void fill(int n, T* x) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int number = static_cast<int>((i * 2654435761u) >> 16);
  if (i >= static_cast<unsigned>(n)) return;
  if constexpr (std::is_integral_v<T>)
    x[i] = static_cast<T>(number);
  else
    x[i] = static_cast<T>(number / 32768.f - 1);
}

/// One warp to a tile of m x n; a and b by rows.
template <int m, int n, int k, class Factor, class Memory, class Sum>
__global__ void by_wmma(int size, const Memory* a, const Memory* b, Sum* c) {
  using namespace nvcuda::wmma;
  const int row = blockIdx.y * m, column = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * n;
  fragment<matrix_a, m, n, k, Factor, row_major> fa;
  fragment<matrix_b, m, n, k, Factor, row_major> fb;
  fragment<accumulator, m, n, k, Sum> fc;
  fill_fragment(fc, Sum(0));
  for (int i = 0; i < size; i += k) {
    load_matrix_sync(fa, a + row * size + i, size);
    load_matrix_sync(fb, b + i * size + column, size);
    mma_sync(fc, fa, fb, fc);
  }
  store_matrix_sync(c + row * size + column, fc, size, mem_row_major);
}

template <class Factor>
struct Step;  // of a product by mma: 32 bytes of each row

#define KLAB_BENCH_STEP(FACTOR, SUM, CONSTRAINT, INSTRUCTION)                               \
  template <>                                                                               \
  struct Step<FACTOR> {                                                                     \
    using Sum = SUM;                                                                        \
    __device__ static void run(SUM* c, const unsigned* a, const unsigned* b) {              \
      asm volatile("mma.sync.aligned." INSTRUCTION                                          \
                   " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                 \
                   : CONSTRAINT(c[0]), CONSTRAINT(c[1]), CONSTRAINT(c[2]), CONSTRAINT(c[3]) \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));     \
    }                                                                                       \
  };
KLAB_BENCH_STEP(__half, float, "+f", "m16n8k16.row.col.f32.f16.f16.f32")
KLAB_BENCH_STEP(__nv_bfloat16, float, "+f", "m16n8k16.row.col.f32.bf16.bf16.f32")
KLAB_BENCH_STEP(float, float, "+f", "m16n8k8.row.col.f32.tf32.tf32.f32")
KLAB_BENCH_STEP(signed char, int, "+r", "m16n8k32.row.col.s32.s8.s8.s32")
#undef KLAB_BENCH_STEP

/// Four 8x8 matrices of 16-bit elements from rows of 32 bytes.
__device__ inline void load_four(unsigned* to, const uint4 (*rows)[2], int row, int half) {
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(&rows[row][half]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(at));
}

constexpr int tile = 64;  // of a block of four warps

/// To shared memory: 32 bytes of each of the tile's rows of a and b.
__device__ inline void load_step(const void* a, const void* b, size_t row_bytes, size_t offset,
                                 uint4 (*rows_a)[2], uint4 (*rows_b)[2]) {
  const int row = threadIdx.x / 2, half = threadIdx.x % 2;
  const auto from = [&](const void* matrix, int first) {
    return *reinterpret_cast<const uint4*>(static_cast<const char*>(matrix) +
                                           (first + row) * row_bytes + offset + 16 * half);
  };
  rows_a[row][half] = from(a, blockIdx.y * tile);
  rows_b[row][half] = from(b, blockIdx.x * tile);
}

/// By 128 threads, a by rows, b by columns.
template <class Factor>
__global__ void by_mma(int size, const Factor* a, const Factor* b, typename Step<Factor>::Sum* c) {
  __shared__ uint4 rows_a[tile][2], rows_b[tile][2];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row = warp / 2 * 32, column = warp % 2 * 32;
  typename Step<Factor>::Sum sums[2][4][4] = {};
  for (size_t offset = 0; offset < size * sizeof(Factor); offset += 32) {
    load_step(a, b, size * sizeof(Factor), offset, rows_a, rows_b);
    __syncthreads();
    unsigned fa[2][4], fb[4][2];
    for (int i = 0; i < 2; ++i) load_four(fa[i], rows_a, row + 16 * i + lane % 16, lane / 16);
    for (int j = 0; j < 4; j += 2)
      load_four(fb[j], rows_b, column + 8 * j + lane / 16 * 8 + lane % 8, lane / 8 % 2);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 4; ++j) Step<Factor>::run(sums[i][j], fa[i], fb[j]);
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int r = 0; r < 4; ++r)
        c[(blockIdx.y * tile + row + 16 * i + lane / 4 + r / 2 * 8) * size + blockIdx.x * tile +
          column + 8 * j + lane % 4 * 2 + r % 2] = sums[i][j][r];
}

/// The same for doubles, whose fragments no ldmatrix loads.
__global__ void doubles_by_mma(int size, const double* a, const double* b, double* c) {
  __shared__ uint4 rows_a[tile][2], rows_b[tile][2];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row = warp / 2 * 32, column = warp % 2 * 32;
  const auto element = [&](const uint4(*rows)[2], int at) {
    return reinterpret_cast<const double*>(rows[at + lane / 4])[lane % 4];
  };
  double sums[4][4][2] = {};
  for (int k = 0; k < size; k += 4) {
    load_step(a, b, size * sizeof(double), k * sizeof(double), rows_a, rows_b);
    __syncthreads();
    double fa[4], fb[4];
    for (int i = 0; i < 4; ++i) {
      fa[i] = element(rows_a, row + 8 * i);
      fb[i] = element(rows_b, column + 8 * i);
    }
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                     : "+d"(sums[i][j][0]), "+d"(sums[i][j][1])
                     : "d"(fa[i]), "d"(fb[j]));
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int r = 0; r < 2; ++r)
        c[(blockIdx.y * tile + row + 8 * i + lane / 4) * size + blockIdx.x * tile + column + 8 * j +
          lane % 4 * 2 + r] = sums[i][j][r];
}

}  // namespace products
