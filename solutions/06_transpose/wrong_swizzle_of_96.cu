// Rejected by: correct — places in a tile are mixed by an exclusive or with its row, up to 63: in
// tiles of 96, taken where the columns are whole ones and none of 128, some lie in the next row
#include "contract.cuh"

namespace {

constexpr int high = 64;  // rows of a tile
constexpr int threads = 256;
constexpr int warps = threads / 32;

/// The place of an element in the tile: neighbours in a row and in a column use different banks,
/// and no padding is needed.
template <int wide>
__device__ int place(int r, int c) {
  static_assert(wide % 32 == 0);
  return r * wide + (c ^ r);
}

template <int wide>
__global__ void __launch_bounds__(threads) transpose(Args args) {
  __shared__ float tile[high * wide];
  const std::int64_t row0 = blockIdx.y * static_cast<std::int64_t>(high);
  const std::int64_t column0 = blockIdx.x * static_cast<std::int64_t>(wide);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

#pragma unroll
  for (int r = warp; r < high; r += warps)
#pragma unroll
    for (int c = lane; c < wide; c += 32)
      if (row0 + r < args.rows && column0 + c < args.columns)
        tile[place<wide>(r, c)] = args.in[(row0 + r) * args.columns + column0 + c];
  __syncthreads();
#pragma unroll
  for (int c = warp; c < wide; c += warps)
#pragma unroll
    for (int r = lane; r < high; r += 32)
      if (row0 + r < args.rows && column0 + c < args.columns)
        args.out[(column0 + c) * args.rows + row0 + r] = tile[place<wide>(r, c)];
}

template <int wide>
void start(const Args& args, cudaStream_t stream) {
  const dim3 tiles(static_cast<unsigned>((args.columns + wide - 1) / wide),
                   static_cast<unsigned>((args.rows + high - 1) / high));
  transpose<wide><<<tiles, threads, 0, stream>>>(args);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  // The widest tile that leaves nothing over.
  if (args.columns % 128 == 0)
    start<128>(args, stream);
  else if (args.columns % 96 == 0)
    start<96>(args, stream);
  else
    start<64>(args, stream);
}
