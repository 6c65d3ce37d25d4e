// Rejected by: correct — up to 2^24 elements a row is found by a rounded inverse in float, and
// mended where it is one too low; rounded up it is one too high, at ends of rows beyond ten million
// elements
#include "contract.cuh"

namespace {

constexpr int block = 256;

// A float holds every integer up to 2^24, and a multiplication is far cheaper than a division.
__global__ void __launch_bounds__(block)
    scale_small(Args args, int elements, int columns, float reciprocal) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= elements) return;
  int row = static_cast<int>(static_cast<float>(i) * reciprocal);
  if ((row + 1) * columns <= i) ++row;  // the reciprocal was rounded down
  args.out[i] = args.gain[row] * args.in[i];
}

__global__ void __launch_bounds__(block) scale_large(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  if (i >= args.rows * args.columns) return;
  args.out[i] = args.gain[i / args.columns] * args.in[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t elements = args.rows * args.columns;
  const auto blocks = static_cast<unsigned>((elements + block - 1) / block);
  if (elements <= 1 << 24) {
    scale_small<<<blocks, block, 0, stream>>>(args, static_cast<int>(elements),
                                              static_cast<int>(args.columns),
                                              1.0f / static_cast<float>(args.columns));
  } else {
    scale_large<<<blocks, block, 0, stream>>>(args);
  }
}
