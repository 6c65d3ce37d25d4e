// Rejected by: correct — where both limits are as far from zero, one comparison of squares stands
// for two: squares of large numbers are infinite, and those of small ones zero
#include "contract.cuh"

namespace {

constexpr int block = 256;

struct Between {
  float low, high;
  __device__ float operator()(float sample) const { return fminf(fmaxf(sample, low), high); }
};

struct Within {
  float high, square;
  __device__ float operator()(float sample) const {
    return sample * sample > square ? copysignf(high, sample) : sample;
  }
};

template <typename Limit>
__global__ void __launch_bounds__(block) limit(Args args, Limit limited) {
  const std::int64_t i = 4 * (blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x);
  if (i + 4 <= args.count) {
    const float4 v = __ldg(reinterpret_cast<const float4*>(args.in + i));
    *reinterpret_cast<float4*>(args.out + i) = {limited(v.x), limited(v.y), limited(v.z),
                                                limited(v.w)};
  } else {
    for (std::int64_t k = i; k < args.count; ++k) args.out[k] = limited(args.in[k]);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.count + 4 * block - 1) / (4 * block));
  if (args.low == -args.high)
    limit<<<blocks, block, 0, stream>>>(args, Within{args.high, args.high * args.high});
  else
    limit<<<blocks, block, 0, stream>>>(args, Between{args.low, args.high});
}
