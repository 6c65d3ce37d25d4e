// Rejected by: cause — all but the flaw is mended: 16 bytes a load and four loads under way, but
// neighbours still write far apart
#include "contract.cuh"

namespace {

constexpr int across = 32, down = 8;  // threads of a block; each takes four columns of four rows

__global__ void transpose(Args args) {
  const std::int64_t column = 4 * (blockIdx.x * static_cast<std::int64_t>(across) + threadIdx.x);
  const std::int64_t first_row = blockIdx.y * static_cast<std::int64_t>(4 * down) + threadIdx.y;
  if (args.columns % 4 == 0 && column < args.columns) {
    float4 loaded[4];
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (const std::int64_t row = first_row + k * down; row < args.rows)
        loaded[k] = __ldg(reinterpret_cast<const float4*>(args.in + row * args.columns + column));
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const std::int64_t row = first_row + k * down;
      if (row >= args.rows) break;
      args.out[column * args.rows + row] = loaded[k].x;
      args.out[(column + 1) * args.rows + row] = loaded[k].y;
      args.out[(column + 2) * args.rows + row] = loaded[k].z;
      args.out[(column + 3) * args.rows + row] = loaded[k].w;
    }
    return;
  }
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 4; ++i)
      if (const std::int64_t row = first_row + k * down;
          row < args.rows && column + i < args.columns)
        args.out[(column + i) * args.rows + row] = args.in[row * args.columns + column + i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 blocks(static_cast<unsigned>((args.columns + 4 * across - 1) / (4 * across)),
                    static_cast<unsigned>((args.rows + 4 * down - 1) / (4 * down)));
  transpose<<<blocks, dim3(across, down), 0, stream>>>(args);
}
