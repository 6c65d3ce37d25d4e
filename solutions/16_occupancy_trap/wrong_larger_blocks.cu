// Rejected by: cause — blocks of 1,024 and a bound that insists on full occupancy: it was full
// before
#include "contract.cuh"

namespace {

__global__ void __launch_bounds__(1024) evaluate(Args args) {
  const std::int64_t i = blockIdx.x * 1024ll + threadIdx.x;
  if (i >= args.count) return;
  const float x = args.points[i];
  float value = 0;
  for (int k = args.terms - 1; k >= 0; --k) value = value * x + args.coefficients[k];
  args.values[i] = value;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  evaluate<<<static_cast<unsigned>((args.count + 1023) / 1024), 1024, 0, stream>>>(args);
}
