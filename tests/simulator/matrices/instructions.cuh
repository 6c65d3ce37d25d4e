// Every matrix instruction that is compared, as one warp carries it out on matrices in memory.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "inputs.hpp"

namespace matrices {

using Word = unsigned;
using Double = unsigned long long;  // the bits of one

struct F16 {
  static constexpr Format format = f16;
  using Value = __half;
};
struct BF16 {
  static constexpr Format format = bf16;
  using Value = __nv_bfloat16;
};
struct TF32 {
  static constexpr Format format = tf32;
  using Value = nvcuda::wmma::precision::tf32;
};
struct F32 {
  static constexpr Format format = f32;
  using Value = float;
};
struct F64 {
  static constexpr Format format = f64;
  using Value = double;
};
struct S8 {
  static constexpr Format format = s8;
  using Value = signed char;
};
struct U8 {
  static constexpr Format format = u8;
  using Value = unsigned char;
};
struct S32 {
  static constexpr Format format = s32;
  using Value = int;
};

template <int m, int n, int k, class D, class A, class B, class C>
struct Matrices {
  static constexpr Shape shape{m, n, k};
  using ElementA = A;
  using ElementB = B;
  using ElementC = C;
  using ElementD = D;
};

template <int m, int n, int k, class D, class A, class B, class C>
struct Mma : Matrices<m, n, k, D, A, B, C> {};

// mma.sync on fragments as PTX documents them; a block is a warp, and has matrices of its own.
template <class I>
__global__ void run_mma(const void* a, const void* b, const void* c, void* d) {
  constexpr int m = I::shape.m, n = I::shape.n, k = I::shape.k;
  constexpr int bits = I::ElementA::format.bits, bits_c = I::ElementC::format.bits;
  using W = std::conditional_t<bits == 64, Double, Word>;
  constexpr int word = 8 * sizeof(W), row_words = k * bits / word, columns_c = n * bits_c / word;
  constexpr int count_a = m * row_words / 32, count_b = n * row_words / 32,
                count_c = m * columns_c / 32;
  const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  const W* from_a = static_cast<const W*>(a) + blockIdx.x * m * row_words;
  const W* from_b = static_cast<const W*>(b) + blockIdx.x * n * row_words;
  const W* from_c = static_cast<const W*>(c) + blockIdx.x * m * columns_c;
  W* to_d = static_cast<W*>(d) + blockIdx.x * m * columns_c;
  W ra[count_a], rb[count_b], rc[count_c], rd[count_c];
  for (int r = 0; r < count_a; ++r) {
    const int row = m == 8 ? g : g + 8 * (r % 2), column = m == 8 ? r : r / 2;
    ra[r] = from_a[row * row_words + 4 * column + t];
  }
  for (int r = 0; r < count_b; ++r) rb[r] = from_b[g * row_words + 4 * r + t];
  constexpr int pair = bits_c == 16 ? 1 : 2;  // words of two neighbours in a row of C
  const auto at = [&](int j) { return (g + 8 * (j / pair)) * columns_c + pair * t + j % pair; };
  for (int j = 0; j < count_c; ++j) rc[j] = from_c[at(j)];
  I::run(rd, ra, rb, rc);
  for (int j = 0; j < count_c; ++j) to_d[at(j)] = rd[j];
}

// wmma, whose fragments PTX leaves open: D is what the store says.
template <int m, int n, int k, class D, class A, class B, class C, bool saturate = false>
struct Wmma : Matrices<m, n, k, D, A, B, C> {
  static constexpr bool satfinite = saturate;
};

template <class I>
__global__ void run_wmma(const void* a, const void* b, const void* c, void* d) {
  using namespace nvcuda::wmma;
  constexpr int m = I::shape.m, n = I::shape.n, k = I::shape.k;
  using A = typename I::ElementA::Value;
  using C = typename I::ElementC::Value;
  using D = typename I::ElementD::Value;
  using Memory = std::conditional_t<std::is_same_v<A, precision::tf32>, float, A>;
  fragment<matrix_a, m, n, k, A, row_major> fa;
  fragment<matrix_b, m, n, k, A, col_major> fb;
  fragment<accumulator, m, n, k, C> fc;
  fragment<accumulator, m, n, k, D> fd;
  load_matrix_sync(fa, static_cast<const Memory*>(a) + blockIdx.x * m * k, k);
  load_matrix_sync(fb, static_cast<const Memory*>(b) + blockIdx.x * n * k, k);
  load_matrix_sync(fc, static_cast<const C*>(c) + blockIdx.x * m * n, n, mem_row_major);
  if constexpr (std::is_same_v<D, int>)
    mma_sync(fd, fa, fb, fc, I::satfinite);
  else
    mma_sync(fd, fa, fb, fc);
  store_matrix_sync(static_cast<D*>(d) + blockIdx.x * m * n, fd, n, mem_row_major);
}

struct mma_m16n8k8_f32_f16_f16_f32 : Mma<16, 8, 8, F32, F16, F16, F32> {
  static constexpr const char* name = "mma.m16n8k8.row.col.f32.f16.f16.f32";
  __device__ static void run(Word* d, const Word* a, const Word* b, const Word* c) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
        "{%7,%8,%9,%10};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
  }
};

struct mma_m16n8k8_f16_f16_f16_f16 : Mma<16, 8, 8, F16, F16, F16, F16> {
  static constexpr const char* name = "mma.m16n8k8.row.col.f16.f16.f16.f16";
  __device__ static void run(Word* d, const Word* a, const Word* b, const Word* c) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4}, {%5,%6};"
                 : "=r"(d[0]), "=r"(d[1])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
  }
};

struct mma_m16n8k8_f32_bf16_bf16_f32 : Mma<16, 8, 8, F32, BF16, BF16, F32> {
  static constexpr const char* name = "mma.m16n8k8.row.col.f32.bf16.bf16.f32";
  __device__ static void run(Word* d, const Word* a, const Word* b, const Word* c) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
        "{%7,%8,%9,%10};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
  }
};

struct mma_m16n8k16_f32_f16_f16_f32 : Mma<16, 8, 16, F32, F16, F16, F32> {
  static constexpr const char* name = "mma.m16n8k16.row.col.f32.f16.f16.f32";
  __device__ static void run(Word* d, const Word* a, const Word* b, const Word* c) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%10,%11,%12,%13};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]),
          "r"(c[2]), "r"(c[3]));
  }
};

struct mma_m16n8k16_f16_f16_f16_f16 : Mma<16, 8, 16, F16, F16, F16, F16> {
  static constexpr const char* name = "mma.m16n8k16.row.col.f16.f16.f16.f16";
  __device__ static void run(Word* d, const Word* a, const Word* b, const Word* c) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, "
        "{%8,%9};"
        : "=r"(d[0]), "=r"(d[1])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]));
  }
};

struct mma_m16n8k16_f32_bf16_bf16_f32 : Mma<16, 8, 16, F32, BF16, BF16, F32> {
  static constexpr const char* name = "mma.m16n8k16.row.col.f32.bf16.bf16.f32";
  __device__ static void run(Word* d, const Word* a, const Word* b, const Word* c) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
        "{%8,%9}, {%10,%11,%12,%13};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]),
          "r"(c[2]), "r"(c[3]));
  }
};

struct mma_m16n8k4_f32_tf32_tf32_f32 : Mma<16, 8, 4, F32, TF32, TF32, F32> {
  static constexpr const char* name = "mma.m16n8k4.row.col.f32.tf32.tf32.f32";
  __device__ static void run(Word* d, const Word* a, const Word* b, const Word* c) {
    asm volatile(
        "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
        "{%7,%8,%9,%10};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
  }
};

struct mma_m16n8k8_f32_tf32_tf32_f32 : Mma<16, 8, 8, F32, TF32, TF32, F32> {
  static constexpr const char* name = "mma.m16n8k8.row.col.f32.tf32.tf32.f32";
  __device__ static void run(Word* d, const Word* a, const Word* b, const Word* c) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%10,%11,%12,%13};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]),
          "r"(c[2]), "r"(c[3]));
  }
};

struct mma_m8n8k4_f64_f64_f64_f64 : Mma<8, 8, 4, F64, F64, F64, F64> {
  static constexpr const char* name = "mma.m8n8k4.row.col.f64.f64.f64.f64";
  __device__ static void run(Double* d, const Double* a, const Double* b, const Double* c) {
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%5};"
                 : "=l"(d[0]), "=l"(d[1])
                 : "l"(a[0]), "l"(b[0]), "l"(c[0]), "l"(c[1]));
  }
};

struct mma_m16n8k4_f64_f64_f64_f64 : Mma<16, 8, 4, F64, F64, F64, F64> {
  static constexpr const char* name = "mma.m16n8k4.row.col.f64.f64.f64.f64";
  __device__ static void run(Double* d, const Double* a, const Double* b, const Double* c) {
    asm volatile(
        "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
        "{%7,%8,%9,%10};"
        : "=l"(d[0]), "=l"(d[1]), "=l"(d[2]), "=l"(d[3])
        : "l"(a[0]), "l"(a[1]), "l"(b[0]), "l"(c[0]), "l"(c[1]), "l"(c[2]), "l"(c[3]));
  }
};

struct mma_m16n8k8_f64_f64_f64_f64 : Mma<16, 8, 8, F64, F64, F64, F64> {
  static constexpr const char* name = "mma.m16n8k8.row.col.f64.f64.f64.f64";
  __device__ static void run(Double* d, const Double* a, const Double* b, const Double* c) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%10,%11,%12,%13};"
        : "=l"(d[0]), "=l"(d[1]), "=l"(d[2]), "=l"(d[3])
        : "l"(a[0]), "l"(a[1]), "l"(a[2]), "l"(a[3]), "l"(b[0]), "l"(b[1]), "l"(c[0]), "l"(c[1]),
          "l"(c[2]), "l"(c[3]));
  }
};

struct mma_m16n8k16_f64_f64_f64_f64 : Mma<16, 8, 16, F64, F64, F64, F64> {
  static constexpr const char* name = "mma.m16n8k16.row.col.f64.f64.f64.f64";
  __device__ static void run(Double* d, const Double* a, const Double* b, const Double* c) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, "
        "{%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, {%16,%17,%18,%19};"
        : "=l"(d[0]), "=l"(d[1]), "=l"(d[2]), "=l"(d[3])
        : "l"(a[0]), "l"(a[1]), "l"(a[2]), "l"(a[3]), "l"(a[4]), "l"(a[5]), "l"(a[6]), "l"(a[7]),
          "l"(b[0]), "l"(b[1]), "l"(b[2]), "l"(b[3]), "l"(c[0]), "l"(c[1]), "l"(c[2]), "l"(c[3]));
  }
};

struct mma_m8n8k16_s32_s8_s8_s32 : Mma<8, 8, 16, S32, S8, S8, S32> {
  static constexpr const char* name = "mma.m8n8k16.row.col.s32.s8.s8.s32";
  __device__ static void run(Word* d, const Word* a, const Word* b, const Word* c) {
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0,%1}, {%2}, {%3}, {%4,%5};"
                 : "=r"(d[0]), "=r"(d[1])
                 : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
  }
};

struct mma_m16n8k16_s32_s8_s8_s32 : Mma<16, 8, 16, S32, S8, S8, S32> {
  static constexpr const char* name = "mma.m16n8k16.row.col.s32.s8.s8.s32";
  __device__ static void run(Word* d, const Word* a, const Word* b, const Word* c) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
        "{%7,%8,%9,%10};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
  }
};

struct mma_m16n8k32_s32_s8_s8_s32 : Mma<16, 8, 32, S32, S8, S8, S32> {
  static constexpr const char* name = "mma.m16n8k32.row.col.s32.s8.s8.s32";
  __device__ static void run(Word* d, const Word* a, const Word* b, const Word* c) {
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%10,%11,%12,%13};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]),
          "r"(c[2]), "r"(c[3]));
  }
};

struct mma_m16n8k32_s32_u8_u8_s32 : Mma<16, 8, 32, S32, U8, U8, S32> {
  static constexpr const char* name = "mma.m16n8k32.row.col.s32.u8.u8.s32";
  __device__ static void run(Word* d, const Word* a, const Word* b, const Word* c) {
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%10,%11,%12,%13};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]),
          "r"(c[2]), "r"(c[3]));
  }
};

struct mma_m16n8k32_s32_s8_u8_s32 : Mma<16, 8, 32, S32, S8, U8, S32> {
  static constexpr const char* name = "mma.m16n8k32.row.col.s32.s8.u8.s32";
  __device__ static void run(Word* d, const Word* a, const Word* b, const Word* c) {
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%10,%11,%12,%13};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]),
          "r"(c[2]), "r"(c[3]));
  }
};

struct mma_m16n8k32_satfinite_s32_u8_s8_s32 : Mma<16, 8, 32, S32, U8, S8, S32> {
  static constexpr const char* name = "mma.m16n8k32.row.col.satfinite.s32.u8.s8.s32";
  __device__ static void run(Word* d, const Word* a, const Word* b, const Word* c) {
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
        "{%8,%9}, {%10,%11,%12,%13};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]),
          "r"(c[2]), "r"(c[3]));
  }
};

struct wmma_m16n16k16_f32_f16_f16_f32 : Wmma<16, 16, 16, F32, F16, F16, F32> {
  static constexpr const char* name = "wmma.m16n16k16.row.col.f32.f16.f16.f32";
};

struct wmma_m16n16k16_f32_f16_f16_f16 : Wmma<16, 16, 16, F32, F16, F16, F16> {
  static constexpr const char* name = "wmma.m16n16k16.row.col.f32.f16.f16.f16";
};

struct wmma_m16n16k16_f16_f16_f16_f32 : Wmma<16, 16, 16, F16, F16, F16, F32> {
  static constexpr const char* name = "wmma.m16n16k16.row.col.f16.f16.f16.f32";
};

struct wmma_m16n16k16_f16_f16_f16_f16 : Wmma<16, 16, 16, F16, F16, F16, F16> {
  static constexpr const char* name = "wmma.m16n16k16.row.col.f16.f16.f16.f16";
};

struct wmma_m32n8k16_f32_f16_f16_f32 : Wmma<32, 8, 16, F32, F16, F16, F32> {
  static constexpr const char* name = "wmma.m32n8k16.row.col.f32.f16.f16.f32";
};

struct wmma_m8n32k16_f32_f16_f16_f32 : Wmma<8, 32, 16, F32, F16, F16, F32> {
  static constexpr const char* name = "wmma.m8n32k16.row.col.f32.f16.f16.f32";
};

struct wmma_m16n16k16_f32_bf16_bf16_f32 : Wmma<16, 16, 16, F32, BF16, BF16, F32> {
  static constexpr const char* name = "wmma.m16n16k16.row.col.f32.bf16.bf16.f32";
};

struct wmma_m16n16k8_f32_tf32_tf32_f32 : Wmma<16, 16, 8, F32, TF32, TF32, F32> {
  static constexpr const char* name = "wmma.m16n16k8.row.col.f32.tf32.tf32.f32";
};

struct wmma_m8n8k4_f64_f64_f64_f64 : Wmma<8, 8, 4, F64, F64, F64, F64> {
  static constexpr const char* name = "wmma.m8n8k4.row.col.f64.f64.f64.f64";
};

struct wmma_m16n16k16_s32_s8_s8_s32 : Wmma<16, 16, 16, S32, S8, S8, S32> {
  static constexpr const char* name = "wmma.m16n16k16.row.col.s32.s8.s8.s32";
};

struct wmma_m16n16k16_s32_u8_u8_s32_satfinite : Wmma<16, 16, 16, S32, U8, U8, S32, true> {
  static constexpr const char* name = "wmma.m16n16k16.row.col.s32.u8.u8.s32.satfinite";
};

}  // namespace matrices
