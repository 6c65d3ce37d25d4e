// Rejected by: cause — no ordinary load or store of the matrix is left, but asynchronous copies and
// atomics of a thread in its own row touch the same sectors
#include "contract.cuh"

#include <cuda_pipeline_primitives.h>

namespace {

constexpr int block = 128;

__global__ void __launch_bounds__(block) scale_rows(Args args) {
  __shared__ float staged[block];
  const std::int64_t row = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  if (row >= args.rows) return;
  const float gain = args.gain[row];
  for (std::int64_t column = 0; column < args.columns; ++column) {
    const std::int64_t i = row * args.columns + column;
    __pipeline_memcpy_async(&staged[threadIdx.x], &args.in[i], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    atomicExch(&args.out[i], gain * staged[threadIdx.x]);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  scale_rows<<<static_cast<unsigned>((args.rows + block - 1) / block), block, 0, stream>>>(args);
}
