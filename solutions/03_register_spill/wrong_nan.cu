// Rejected by: correct — writes NaN, which slips through a check that asks `difference > tolerance`
#include "contract.cuh"

namespace {

__global__ void filter_bank(Args args) {
  const std::int64_t channel = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (channel < args.channels) args.energy[channel] = nanf("");
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  filter_bank<<<static_cast<unsigned>((args.channels + 255) / 256), 256, 0, stream>>>(args);
}
