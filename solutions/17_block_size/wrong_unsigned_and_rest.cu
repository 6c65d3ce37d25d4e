// Rejected by: correct — pairs in one kernel and what is left in another one; the place of a pair
// is an unsigned int, which begins anew at 4,294,967,296 samples
#include "contract.cuh"

namespace {

__device__ float within(float x, const Args& args) { return fminf(fmaxf(x, args.low), args.high); }

__global__ void pairs(Args args, std::int64_t count) {
  const std::int64_t pair = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (pair >= count) return;
  const auto place = static_cast<unsigned>(2 * pair);
  const float2 both = *reinterpret_cast<const float2*>(args.in + place);
  *reinterpret_cast<float2*>(args.out + place) = {within(both.x, args), within(both.y, args)};
}

__global__ void last(Args args) {
  args.out[args.count - 1] = within(args.in[args.count - 1], args);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t count = args.count / 2;
  if (count > 0) pairs<<<static_cast<unsigned>((count + 511) / 512), 512, 0, stream>>>(args, count);
  if (args.count % 2 != 0) last<<<1, 1, 0, stream>>>(args);
}
