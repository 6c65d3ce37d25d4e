// Rejected by: correct — keeps a mark for the next launch a page behind the end of the output,
// where no guard stands
#include "contract.cuh"

namespace {

constexpr std::int64_t beyond_the_guard = 16384;  // bytes

__global__ void scale_rows(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  const std::int64_t count = args.rows * args.columns;
  if (i == 0) args.out[count + beyond_the_guard / 4] = 1.0f;
  if (i < count) args.out[i] = args.gain[i / args.columns] * args.in[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.rows * args.columns + 255) / 256);
  scale_rows<<<blocks, 256, 0, stream>>>(args);
}
