// Rejected by: cause — a copy within the device brings the matrix to its place, where a kernel
// scales it: nothing is scattered, but every byte is read and written twice
#include "contract.cuh"

namespace {

constexpr int block = 256;

__global__ void __launch_bounds__(block) scale_in_place(Args args) {
  const std::int64_t row = blockIdx.x;
  const float gain = args.gain[row];
  float* words = args.out + row * args.columns;
  for (std::int64_t column = threadIdx.x; column < args.columns; column += block)
    words[column] *= gain;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto bytes = static_cast<std::size_t>(args.rows * args.columns) * sizeof(float);
  cudaMemcpyAsync(args.out, args.in, bytes, cudaMemcpyDeviceToDevice, stream);
  scale_in_place<<<static_cast<unsigned>(args.rows), block, 0, stream>>>(args);
}
