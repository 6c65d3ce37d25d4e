// Ends in: pass — a tile of 16 x 16 elements and a thread for each, in a grid without a second
// dimension
#include "contract.cuh"

namespace {

constexpr unsigned side = 16;

__global__ void transpose(const float* in, float* out, unsigned rows, unsigned columns,
                          unsigned tiles_across) {
  __shared__ float tile[side * (side + 1)];
  const unsigned y = threadIdx.x / side, x = threadIdx.x % side;
  const unsigned top = blockIdx.x / tiles_across * side, left = blockIdx.x % tiles_across * side;

  if (top + y < rows && left + x < columns)
    tile[y * (side + 1) + x] = in[std::size_t{top + y} * columns + left + x];
  __syncthreads();
  if (left + y < columns && top + x < rows)
    out[std::size_t{left + y} * rows + top + x] = tile[x * (side + 1) + y];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto rows = static_cast<unsigned>(args.rows), columns = static_cast<unsigned>(args.columns);
  const unsigned across = (columns + side - 1) / side, down = (rows + side - 1) / side;
  transpose<<<across * down, side * side, 0, stream>>>(args.in, args.out, rows, columns, across);
}
