// Rejected by: correct — the last thread reads the word behind the end, and does nothing with it
#include "contract.cuh"

namespace {

__device__ float peek(const float* place) {
  float value;
  asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(place));
  return value;
}

__global__ void scale_rows(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= args.rows * args.columns) return;
  const float value = args.in[i];
  peek(args.in + i + 1);
  args.out[i] = args.gain[i / args.columns] * value;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.rows * args.columns + 255) / 256);
  scale_rows<<<blocks, 256, 0, stream>>>(args);
}
