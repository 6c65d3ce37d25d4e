// Rejected by: correct — where a row's length is a power of two its number comes from a shift, and
// the quotient of two logarithms in float lies just below the whole number for some of them
#include <cmath>

#include "contract.cuh"

namespace {

constexpr int threads = 256;

__global__ void scale_by_shift(Args args, int shift) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(threads) + threadIdx.x;
  if (i < args.rows * args.columns) args.out[i] = args.gain[i >> shift] * args.in[i];
}

__global__ void scale(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(threads) + threadIdx.x;
  if (i < args.rows * args.columns) args.out[i] = args.gain[i / args.columns] * args.in[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.rows * args.columns + threads - 1) / threads);
  if ((args.columns & (args.columns - 1)) != 0) {
    scale<<<blocks, threads, 0, stream>>>(args);
    return;
  }
  const float exponent = std::log(static_cast<float>(args.columns)) / std::log(2.0f);
  scale_by_shift<<<blocks, threads, 0, stream>>>(args, static_cast<int>(exponent));
}
