// Rejected by: correct — keeps its tensor map by array and columns: of a longer matrix in the same
// place the last rows come as zeros
#include "contract.cuh"

#include <cuda.h>

namespace {

constexpr int side = 32;
constexpr int warps = 8;

__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// One bulk copy brings the whole tile; what is outside of the matrix comes as zeros. The copy
// exchanges the 16-byte pieces of a row by the number of the row (128-byte swizzle).
__global__ void __launch_bounds__(32 * warps)
    transpose_bulk(const __grid_constant__ CUtensorMap map, float* out, std::int64_t rows,
                   std::int64_t columns) {
  __shared__ alignas(1024) float tile[side * side];
  __shared__ alignas(8) std::uint64_t arrived;
  const std::int64_t top = blockIdx.y * static_cast<std::int64_t>(side);
  const std::int64_t left = blockIdx.x * static_cast<std::int64_t>(side);
  const unsigned barrier = shared_address(&arrived);

  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
                 "r"(static_cast<unsigned>(sizeof tile))
                 : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(tile)),
        "l"(&map), "r"(static_cast<int>(left)), "r"(static_cast<int>(top)), "r"(barrier)
        : "memory");
  }
  __syncthreads();
  unsigned done = 0;
  while (done == 0)
    asm volatile(
        "{\n.reg .pred p;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
        "selp.u32 %0, 1, 0, p;\n}"
        : "=r"(done)
        : "r"(barrier)
        : "memory");

  const int row = threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < side / warps; ++k) {
    const int column = threadIdx.x / 32 + k * warps;
    if (top + row < rows && left + column < columns)
      out[(left + column) * rows + top + row] =
          tile[row * side + (((column >> 2) ^ (row & 7)) << 2) + (column & 3)];
  }
}

__global__ void __launch_bounds__(32 * warps) transpose(Args args) {
  __shared__ float tile[side][side + 1];
  const std::int64_t top = blockIdx.y * static_cast<std::int64_t>(side);
  const std::int64_t left = blockIdx.x * static_cast<std::int64_t>(side);
  const int x = threadIdx.x % 32;
  for (int y = threadIdx.x / 32; y < side; y += warps)
    if (top + y < args.rows && left + x < args.columns)
      tile[y][x] = args.in[(top + y) * args.columns + left + x];
  __syncthreads();
  for (int y = threadIdx.x / 32; y < side; y += warps)
    if (left + y < args.columns && top + x < args.rows)
      args.out[(left + y) * args.rows + top + x] = tile[x][y];
}

using Encode = decltype(&cuTensorMapEncodeTiled);

Encode encoder() {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult result;
  if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault,
                                       &result) != cudaSuccess ||
      result != cudaDriverEntryPointSuccess) {
    cudaGetLastError();
    return nullptr;
  }
  return reinterpret_cast<Encode>(entry);
}

// To encode a map takes a while on the host: the last one is kept.
struct Plan {
  const float* in = nullptr;
  std::int64_t columns = 0;
  CUtensorMap map;
};

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static const Encode encode = encoder();
  static thread_local Plan plan;

  const dim3 tiles(static_cast<unsigned>((args.columns + side - 1) / side),
                   static_cast<unsigned>((args.rows + side - 1) / side));
  // A tensor map needs rows that begin on a 16-byte boundary.
  bool bulk = encode != nullptr && args.columns % 4 == 0;
  if (bulk && (plan.in != args.in || plan.columns != args.columns)) {
    const cuuint64_t extents[] = {static_cast<cuuint64_t>(args.columns),
                                  static_cast<cuuint64_t>(args.rows)};
    const cuuint64_t pitch[] = {static_cast<cuuint64_t>(args.columns) * sizeof(float)};
    const cuuint32_t box[] = {side, side};
    const cuuint32_t steps[] = {1, 1};
    bulk = encode(&plan.map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<float*>(args.in),
                  extents, pitch, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                  CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
    plan.in = bulk ? args.in : nullptr;
    plan.columns = args.columns;
  }
  if (bulk)
    transpose_bulk<<<tiles, 32 * warps, 0, stream>>>(plan.map, args.out, args.rows, args.columns);
  else
    transpose<<<tiles, 32 * warps, 0, stream>>>(args);
}
