// Rejected by: correct — works out once for each matrix how many blocks it takes, and knows it
// again by its address: what is freed comes back with another shape
#include "contract.cuh"

#include <unordered_map>

namespace {

constexpr int threads = 256;

__global__ void __launch_bounds__(threads) scale(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(threads) + threadIdx.x;
  if (i < args.rows * args.columns) args.out[i] = args.gain[i / args.columns] * args.in[i];
}

unsigned blocks_for(const Args& args) {
  static std::unordered_map<const float*, unsigned> plans;
  const std::int64_t elements = args.rows * args.columns;
  return plans.try_emplace(args.in, static_cast<unsigned>((elements + threads - 1) / threads))
      .first->second;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  scale<<<blocks_for(args), threads, 0, stream>>>(args);
}
