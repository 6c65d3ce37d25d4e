// Rejected by: correct — asks how far a sample is from the middle of the limits: the distance is
// rounded, so what lies right behind a limit may stay
#include "contract.cuh"

namespace {

constexpr int block = 256;

__global__ void limit(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  if (i >= args.count) return;
  const float middle = 0.5f * (args.low + args.high), half = 0.5f * (args.high - args.low);
  const float distance = args.in[i] - middle;
  args.out[i] = fabsf(distance) <= half ? args.in[i] : distance < 0 ? args.low : args.high;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  limit<<<static_cast<unsigned>((args.count + block - 1) / block), block, 0, stream>>>(args);
}
