// Rejected by: cause — four neighbouring words a thread, loaded and stored one by one: 16 sectors a
// request, as with 16-byte accesses, but a quarter of each is used
#include "contract.cuh"

namespace {

__global__ void scale_rows(Args args) {
  const std::int64_t thread = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  const std::int64_t count = args.rows * args.columns;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const std::int64_t i = 4 * thread + k;
    if (i < count) args.out[i] = args.gain[i / args.columns] * args.in[i];
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t threads = (args.rows * args.columns + 3) / 4;
  scale_rows<<<static_cast<unsigned>((threads + 255) / 256), 256, 0, stream>>>(args);
}
