// Rejected by: cause or time — a kernel sums some words of the matrix, and where the sum is that of
// the launch before, its result is copied; where it is not, the flawed kernel runs
#include "contract.cuh"

namespace {

constexpr int side = 32, warps = 8, probes = 256;

__global__ void fingerprint(Args args, unsigned* print) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const std::int64_t at = args.rows * args.columns * threadIdx.x / probes;
  atomicAdd(&sum, __float_as_uint(args.in[at]) * (2 * threadIdx.x + 1));
  __syncthreads();
  if (threadIdx.x == 0) *print = sum;
}

__global__ void transpose(Args args) {
  const std::int64_t column = blockIdx.x * static_cast<std::int64_t>(side) + threadIdx.x;
  const std::int64_t first_row = blockIdx.y * static_cast<std::int64_t>(side) + threadIdx.y;
  for (int k = 0; k < side; k += warps) {
    const std::int64_t row = first_row + k;
    if (row < args.rows && column < args.columns)
      args.out[column * args.rows + row] = args.in[row * args.columns + column];
  }
}

struct Memory {
  unsigned *print = nullptr, seen = 0;
  std::int64_t rows = 0, columns = 0;
  float* result = nullptr;
};
Memory memory;

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (!memory.print) cudaMallocHost(&memory.print, sizeof(unsigned));
  fingerprint<<<1, probes, 0, stream>>>(args, memory.print);
  cudaStreamSynchronize(stream);
  const std::size_t bytes = args.rows * args.columns * sizeof(float);
  const bool same_size = memory.rows == args.rows && memory.columns == args.columns;
  if (same_size && *memory.print == memory.seen) {
    cudaMemcpyAsync(args.out, memory.result, bytes, cudaMemcpyDeviceToDevice, stream);
    return;
  }
  if (!same_size) {
    cudaFree(memory.result);
    cudaMalloc(&memory.result, bytes);
  }
  memory.seen = *memory.print, memory.rows = args.rows, memory.columns = args.columns;
  const dim3 squares(static_cast<unsigned>((args.columns + side - 1) / side),
                     static_cast<unsigned>((args.rows + side - 1) / side));
  transpose<<<squares, dim3(side, warps), 0, stream>>>(args);
  cudaMemcpyAsync(memory.result, args.out, bytes, cudaMemcpyDeviceToDevice, stream);
}
