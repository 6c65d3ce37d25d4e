// Lab 03: random signals, and the bank of fading averages in double precision.
#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

/// Energy of one channel, with the error that a float computation may have made on the way.
///
/// The bound runs along with the computation (running error analysis; Higham, "Accuracy and
/// Stability of Numerical Algorithms", section 3.3), with unit roundoff 2^-24. Each sample scales
/// the error so far by keep(k) and adds at most two roundings, one of the product and one of the
/// sum; both are at most 2^-24 times a value that is no larger than |product| + |sum|. Squaring
/// doubles the relative error, and adding up 64 squares, all positive, adds at most 65 roundings of
/// the total.
__host__ __device__ Expected energy_of(const float* signal, std::int64_t samples,
                                       std::int64_t channels, std::int64_t channel) {
  constexpr double roundoff = 0x1p-24;
  constexpr double smallest = 0x1p-149;  // next to zero roundings are no share of the value
  constexpr int together = 8;            // filters that share the reading of a sample
  static_assert(filters % together == 0);
  double energy = 0;
  double error = 0;
  for (int first = 0; first < filters; first += together) {
    double state[together] = {}, state_error[together] = {};
    for (std::int64_t sample = 0; sample < samples; ++sample) {
      const double x = signal[sample * channels + channel];
      for (int k = 0; k < together; ++k) {
        const double kept = keep(first + k);
        const double product = kept * state[k];
        state[k] = product + x;
        state_error[k] =
            kept * state_error[k] + roundoff * (fabs(product) + fabs(state[k])) + smallest;
      }
    }
    for (int k = 0; k < together; ++k) {
      energy += state[k] * state[k];
      error += (2 * fabs(state[k]) + state_error[k]) * state_error[k];
    }
  }
  return {energy, error + (filters + 1) * (roundoff * energy + smallest)};
}

/// What else a signal may hold. In one channel the first sample is what no filter ever forgets, and
/// no other one is unusual, so that whoever leaves out old samples as faded away is wrong there.
/// The one behind it is so quiet that its energy is a denormal number.
struct NeverForgotten {
  std::uint64_t channels;

  __host__ __device__ float operator()(std::uint64_t seed, std::uint64_t index) const {
    constexpr float low = -1, high = 1, quiet = 3e-21f;
    const std::uint64_t drawn = hash(seed, ~6ull);
    const bool is_told_apart = channels > 1 || drawn % 2 == 0;
    if (channels > 1 && index % channels == (drawn / 8 + 1) % channels)
      return quiet * uniform(seed, index, low, high);
    if (!is_told_apart || index % channels != drawn / 8 % channels)
      return Specials{low, high, 1e30f}(seed, index);
    if (index >= channels) return uniform(seed, index, low, high);
    return drawn / 2 % 3 == 0 ? NAN : drawn / 2 % 3 == 1 ? INFINITY : -INFINITY;
  }
};

struct FilterBank final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t samples = size[0], channels = size[1];
    fields.input<&Args::signal>(
        samples * channels,
        Sometimes{Uniform{-1, 1}, NeverForgotten{static_cast<std::uint64_t>(channels)}});
    fields.output<&Args::energy>(channels);
    fields.value<&Args::samples>(samples);
    fields.value<&Args::channels>(channels);
    // Each filter: a multiplication and an addition a sample, but for the first one, and its square
    // in the sum.
    fields.work(
        {.fp32 = 2.0 * filters * static_cast<double>(channels) * static_cast<double>(samples)});
  }

  Mismatch first_wrong(const Answer<Args>& answer) const override {
    const Args given = answer.given;
    return answer.compare<&Args::energy>([=] __host__ __device__(std::int64_t channel) {
      return energy_of(given.signal, given.samples, given.channels, channel);
    });
  }
};

const Offer<FilterBank> offer;

}  // namespace
