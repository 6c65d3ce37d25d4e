// Rejected by: correct — where a row begins is an unsigned int, which begins anew at 4,294,967,296
// elements: then rows are written over others
#include "contract.cuh"

namespace {

constexpr unsigned across = 32, rows_of_a_block = 8;

__global__ void scale(const float* in, const float* gain, float* out, unsigned rows,
                      unsigned columns) {
  const unsigned row = blockIdx.x * rows_of_a_block + threadIdx.y;
  if (row >= rows) return;
  const unsigned begin = row * columns;
  for (unsigned column = threadIdx.x; column < columns; column += across)
    out[begin + column] = gain[row] * in[begin + column];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto rows = static_cast<unsigned>(args.rows), columns = static_cast<unsigned>(args.columns);
  const unsigned blocks = (rows + rows_of_a_block - 1) / rows_of_a_block;
  scale<<<blocks, dim3(across, rows_of_a_block), 0, stream>>>(args.in, args.gain, args.out, rows,
                                                              columns);
}
