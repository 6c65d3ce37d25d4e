// Rejected by: correct — limits were never beyond one, so larger samples need no comparison with
// them
#include "contract.cuh"

namespace {

__device__ float limited(float sample, const Args& args) {
  if (fabsf(sample) >= 1) return sample > 0 ? args.high : args.low;
  return fminf(fmaxf(sample, args.low), args.high);
}

__global__ void limit(Args args) {
  const std::int64_t i = blockIdx.x * 256ll + threadIdx.x;
  if (i < args.count) args.out[i] = limited(args.in[i], args);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  limit<<<static_cast<unsigned>((args.count + 255) / 256), 256, 0, stream>>>(args);
}
