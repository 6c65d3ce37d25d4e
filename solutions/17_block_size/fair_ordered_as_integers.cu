// Ends in: pass — compares floats by their bits, with those of negative ones turned around
#include "contract.cuh"

namespace {

/// Larger for a larger float; its own inverse.
__device__ int turned(int bits) { return bits < 0 ? bits ^ 0x7fffffff : bits; }

__device__ float limited(float sample, int low, int high) {
  return __int_as_float(turned(max(low, min(high, turned(__float_as_int(sample))))));
}

__global__ void limit(Args args) {
  const int low = turned(__float_as_int(args.low)), high = turned(__float_as_int(args.high));
  const std::int64_t all = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < args.count;
       i += all)
    args.out[i] = limited(args.in[i], low, high);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) { limit<<<1056, 256, 0, stream>>>(args); }
