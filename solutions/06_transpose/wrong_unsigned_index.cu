// Rejected by: correct — what is read has its place in an unsigned int, which begins anew at
// 4,294,967,296 elements; what is written has not
#include "contract.cuh"

namespace {

constexpr unsigned side = 32, lines = 8;

__global__ void transpose(const float* in, float* out, unsigned rows, unsigned columns) {
  __shared__ float tile[side][side + 1];
  const unsigned top = blockIdx.x * side, left = blockIdx.y * side;
  for (unsigned k = threadIdx.y; k < side; k += lines)
    if (top + k < rows && left + threadIdx.x < columns)
      tile[k][threadIdx.x] = in[(top + k) * columns + left + threadIdx.x];
  __syncthreads();
  for (unsigned k = threadIdx.y; k < side; k += lines)
    if (left + k < columns && top + threadIdx.x < rows)
      out[std::int64_t{left + k} * rows + top + threadIdx.x] = tile[threadIdx.x][k];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto rows = static_cast<unsigned>(args.rows), columns = static_cast<unsigned>(args.columns);
  const dim3 tiles((rows + side - 1) / side, (columns + side - 1) / side);
  transpose<<<tiles, dim3(side, lines), 0, stream>>>(args.in, args.out, rows, columns);
}
