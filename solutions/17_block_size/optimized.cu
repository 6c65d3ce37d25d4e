// Blocks of 256 threads, and a float4 for each thread: few blocks, and each with enough to do.
#include "contract.cuh"

#ifndef BLOCK
#define BLOCK 256  // threads a block
#endif

namespace {

__device__ float limited(float sample, const Args& args) {
  return fminf(fmaxf(sample, args.low), args.high);
}

__global__ void __launch_bounds__(BLOCK) limit(Args args) {
  const std::int64_t i = 4 * (blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x);
  if (i + 4 <= args.count) {
    const float4 v = __ldg(reinterpret_cast<const float4*>(args.in + i));
    *reinterpret_cast<float4*>(args.out + i) = {limited(v.x, args), limited(v.y, args),
                                                limited(v.z, args), limited(v.w, args)};
  } else {  // the last samples, fewer than four
    for (std::int64_t k = i; k < args.count; ++k) args.out[k] = limited(args.in[k], args);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t samples = 4 * BLOCK;  // of a block
  const auto blocks = static_cast<unsigned>((args.count + samples - 1) / samples);
  limit<<<blocks, BLOCK, 0, stream>>>(args);
}
