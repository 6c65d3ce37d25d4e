// Tiles of a and b pass through a ring in shared memory, filled by asynchronous copies several
// steps ahead; each warp keeps 64 x 64 sums in registers and feeds the tensor cores with mma.sync.
#include "contract.cuh"

#ifndef STAGES
#define STAGES 4  // tiles of a and b that are under way at the same time
#endif
#ifndef TILE_N
#define TILE_N 128  // columns of a block's tile
#endif

namespace {

constexpr int tile_m = 128, tile_n = TILE_N, tile_k = 32;
constexpr int warp_m = 64, warp_n = 64;
constexpr int warps_m = tile_m / warp_m, warps_n = tile_n / warp_n;
constexpr int threads = warps_m * warps_n * 32;
constexpr int vector = 8;  // halves in 16 bytes
constexpr int a_bytes = tile_m * tile_k * 2, b_bytes = tile_k * tile_n * 2;
constexpr int shared_bytes = STAGES * (a_bytes + b_bytes);
constexpr int group =
    8;  // rows of tiles that are taken together, so that their tiles stay in the L2

/// Where the 16-byte vector (row, v) of a tile lies. The vectors of a row change places from row to
/// row, so that eight rows below each other lie in different banks.
__device__ int place_a(int row, int v) { return row * tile_k * 2 + (v ^ (row / 2 % 4)) * 16; }
__device__ int place_b(int row, int v) { return row * tile_n * 2 + (v ^ (row % 8)) * 16; }

/// Brings halves [column, column + 8) of a row to shared memory; 0 for what lies outside.
template <bool aligned>
__device__ __forceinline__ void bring(unsigned to, const __half* matrix, std::int64_t rows,
                                      std::int64_t columns, std::int64_t row, std::int64_t column) {
  if constexpr (aligned) {
    // A row is a multiple of 8 long, so a vector lies inside as a whole or not at all.
    const bool inside = row < rows && column < columns;
    const __half* from = inside ? matrix + row * columns + column : matrix;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from),
                 "r"(inside ? 16 : 0)
                 : "memory");
  } else {
    unsigned short held[vector];
#pragma unroll
    for (int i = 0; i < vector; ++i)
      held[i] = row < rows && column + i < columns
                    ? __half_as_ushort(matrix[row * columns + column + i])
                    : 0;
    asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(held[0] | held[1] << 16),
                 "r"(held[2] | held[3] << 16), "r"(held[4] | held[5] << 16),
                 "r"(held[6] | held[7] << 16)
                 : "memory");
  }
}

template <bool aligned>
__device__ __forceinline__ void bring_tiles(const Args& args, unsigned stage, std::int64_t row,
                                            std::int64_t column, std::int64_t step) {
#pragma unroll
  for (int i = threadIdx.x; i < tile_m * tile_k / vector; i += threads) {
    const int y = i / (tile_k / vector), v = i % (tile_k / vector);
    bring<aligned>(stage + place_a(y, v), args.a, args.m, args.k, row + y,
                   step * tile_k + v * vector);
  }
#pragma unroll
  for (int i = threadIdx.x; i < tile_k * tile_n / vector; i += threads) {
    const int y = i / (tile_n / vector), v = i % (tile_n / vector);
    bring<aligned>(stage + a_bytes + place_b(y, v), args.b, args.k, args.n, step * tile_k + y,
                   column + v * vector);
  }
}

__device__ __forceinline__ void load_a(unsigned (&part)[4], unsigned from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(part[0]), "=r"(part[1]), "=r"(part[2]), "=r"(part[3])
               : "r"(from));
}
/// b lies row by row, and the tensor cores want it column by column: the load turns it.
__device__ __forceinline__ void load_b(unsigned (&part)[4], unsigned from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(part[0]), "=r"(part[1]), "=r"(part[2]), "=r"(part[3])
               : "r"(from));
}
/// sum (16 x 8) += a (16 x 16) * b (16 x 8)
__device__ __forceinline__ void multiply_add(float (&sum)[4], const unsigned (&a)[4],
                                             const unsigned* b) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/// Two neighbouring results of a row.
__device__ __forceinline__ void store(const Args& args, std::int64_t row, std::int64_t column,
                                      float left, float right) {
  if (row >= args.m || column >= args.n) return;
  __half* to = args.c + row * args.n + column;
  if (args.n % 2 == 0) {
    *reinterpret_cast<__half2*>(to) = __floats2half2_rn(left, right);
  } else {
    to[0] = __float2half(left);
    if (column + 1 < args.n) to[1] = __float2half(right);
  }
}

template <bool aligned>
__global__ void __launch_bounds__(threads) multiply(Args args) {
  extern __shared__ __align__(128) unsigned char memory[];
  const auto ring = static_cast<unsigned>(__cvta_generic_to_shared(memory));
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  // Blocks of a moment lie in a square of tiles, as far as the matrix goes.
  const int rows = static_cast<int>((args.m + tile_m - 1) / tile_m);
  const int columns = static_cast<int>((args.n + tile_n - 1) / tile_n);
  const int first = static_cast<int>(blockIdx.x) / (group * columns) * group;
  const int within = static_cast<int>(blockIdx.x) - first * columns;
  const int height = min(group, rows - first);
  const std::int64_t row = (first + within % height) * static_cast<std::int64_t>(tile_m);
  const std::int64_t column = within / height * static_cast<std::int64_t>(tile_n);

  const auto steps = static_cast<int>((args.k + tile_k - 1) / tile_k);
  const auto stage = [&](int step) { return ring + step % STAGES * (a_bytes + b_bytes); };
  const auto fill = [&](int step) {
    if (step < steps) bring_tiles<aligned>(args, stage(step), row, column, step);
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  for (int step = 0; step < STAGES - 1; ++step) fill(step);

  const int top = warp / warps_n * warp_m, left = warp % warps_n * warp_n;
  float sum[warp_m / 16][warp_n / 8][4] = {};
  for (int step = 0; step < steps; ++step) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    __syncthreads();  // the tiles of this step are there, and those of the step before are free
    fill(step + STAGES - 1);
    const unsigned a_tile = stage(step), b_tile = a_tile + a_bytes;
#pragma unroll
    for (int inner = 0; inner < tile_k / 16; ++inner) {
      unsigned a[warp_m / 16][4], b[warp_n / 16][4];
#pragma unroll
      for (int i = 0; i < warp_m / 16; ++i)
        load_a(a[i], a_tile + place_a(top + i * 16 + lane % 16, inner * 2 + lane / 16));
#pragma unroll
      for (int j = 0; j < warp_n / 16; ++j)
        load_b(b[j], b_tile + place_b(inner * 16 + lane % 16, (left + j * 16) / 8 + lane / 16));
#pragma unroll
      for (int i = 0; i < warp_m / 16; ++i)
#pragma unroll
        for (int j = 0; j < warp_n / 8; ++j) multiply_add(sum[i][j], a[i], &b[j / 2][j % 2 * 2]);
    }
  }

  const std::int64_t y = row + top + lane / 4, x = column + left + lane % 4 * 2;
#pragma unroll
  for (int i = 0; i < warp_m / 16; ++i)
#pragma unroll
    for (int j = 0; j < warp_n / 8; ++j) {
      store(args, y + i * 16, x + j * 8, sum[i][j][0], sum[i][j][1]);
      store(args, y + i * 16 + 8, x + j * 8, sum[i][j][2], sum[i][j][3]);
    }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t blocks = ((args.m + tile_m - 1) / tile_m) * ((args.n + tile_n - 1) / tile_n);
  const bool aligned = args.n % vector == 0 && args.k % vector == 0;
  const auto kernel = aligned ? multiply<true> : multiply<false>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
  kernel<<<static_cast<unsigned>(blocks), threads, shared_bytes, stream>>>(args);
}
