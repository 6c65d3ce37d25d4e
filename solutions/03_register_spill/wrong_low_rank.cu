// Rejected by: same work or correct — runs 16 filters, and takes the 64 for polynomials through
// them: neighbouring filters differ little, but 48 of them never saw a sample
#include "contract.cuh"

#include <cmath>

#define BLOCK 256  // threads a block

namespace {

constexpr int nodes = 16;

/// Filters at Chebyshev's places between the first and the last one, and how much of each is in
/// the 64.
struct Basis {
  float kept[nodes];
  float share[filters][nodes];
};
__constant__ Basis basis;

Basis make_basis() {
  Basis made;
  double place[nodes];
  const double low = std::log(2.0), high = std::log(filters + 1.0);
  for (int j = 0; j < nodes; ++j) {
    place[j] = (low + high) / 2 + (high - low) / 2 * std::cos((2 * j + 1) * M_PI / (2 * nodes));
    made.kept[j] = static_cast<float>(1 - std::exp(-place[j]));
  }
  for (int k = 0; k < filters; ++k)
    for (int j = 0; j < nodes; ++j) {
      double share = 1;
      for (int i = 0; i < nodes; ++i)
        if (i != j) share *= (std::log(k + 2.0) - place[i]) / (place[j] - place[i]);
      made.share[k][j] = static_cast<float>(share);
    }
  return made;
}

__global__ void filter_bank(Args args) {
  const std::int64_t channel = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  if (channel >= args.channels) return;

  float state[nodes] = {};
  for (std::int64_t sample = 0; sample < args.samples; ++sample) {
    const float x = args.signal[sample * args.channels + channel];
#pragma unroll
    for (int j = 0; j < nodes; ++j) state[j] = basis.kept[j] * state[j] + x;
  }

  float energy = 0;
  for (int k = 0; k < filters; ++k) {
    float value = 0;
#pragma unroll
    for (int j = 0; j < nodes; ++j) value += basis.share[k][j] * state[j];
    energy += value * value;
  }
  args.energy[channel] = energy;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static const Basis made = make_basis();
  cudaMemcpyToSymbolAsync(basis, &made, sizeof(made), 0, cudaMemcpyHostToDevice, stream);
  const auto blocks = static_cast<unsigned>((args.channels + BLOCK - 1) / BLOCK);
  filter_bank<<<blocks, BLOCK, 0, stream>>>(args);
}
