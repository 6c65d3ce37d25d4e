// Ends in: pass — the filters' factors in a table made at compile time, and the loop over them
// written out by a template
#include "contract.cuh"

#include <array>
#include <utility>

namespace {

consteval std::array<float, filters> make_factors() {
  std::array<float, filters> factors{};
  for (int k = 0; k < filters; ++k) factors[k] = keep(k);
  return factors;
}
constexpr std::array<float, filters> factors = make_factors();

template <std::size_t... K>
__device__ float energy_of(const float* signal, std::int64_t samples, std::int64_t stride,
                           std::index_sequence<K...>) {
  float state[] = {(static_cast<void>(K), 0.0f)...};
  for (; samples > 0; --samples, signal += stride) {
    const float x = *signal;
    ((state[K] = std::get<K>(factors) * state[K] + x), ...);
  }
  return ((state[K] * state[K]) + ...);
}

static_assert(factors[0] == 0.5f && factors[1] > factors[0]);

__global__ void __launch_bounds__(128) filter_bank(Args args) {
  const std::int64_t channel = blockIdx.x * 128ll + threadIdx.x;
  if (channel < args.channels)
    args.energy[channel] = energy_of(args.signal + channel, args.samples, args.channels,
                                     std::make_index_sequence<filters>());
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  filter_bank<<<static_cast<unsigned>((args.channels + 127) / 128), 128, 0, stream>>>(args);
}
