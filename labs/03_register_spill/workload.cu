// Lab 03: random signals, and the bank of fading averages in double precision.
#include "contract.cuh"
#include "runner/workload/workload.cuh"

namespace {

using namespace klab;

/// Buffers in the order of buffers().
enum Buffer : std::size_t { signal_buffer, energy_buffer };

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
  double energy = 0;
  double error = 0;
  for (int k = 0; k < filters; ++k) {
    const double kept = keep(k);
    double state = 0;
    double state_error = 0;
    for (std::int64_t sample = 0; sample < samples; ++sample) {
      const double product = kept * state;
      state = product + signal[sample * channels + channel];
      state_error = kept * state_error + roundoff * (fabs(product) + fabs(state));
    }
    energy += state * state;
    error += (2 * fabs(state) + state_error) * state_error;
  }
  return {energy, error + (filters + 1) * roundoff * energy};
}

class FilterBank final : public Workload {
 public:
  std::vector<BufferSpec> buffers(const Size& size) const override {
    const auto samples = static_cast<std::size_t>(size[0]);
    const auto channels = static_cast<std::size_t>(size[1]);
    return {{"signal", samples * channels, sizeof(float), Role::input},
            {"energy", channels, sizeof(float), Role::output}};
  }

  void fill(const Problem& problem, std::uint64_t seed) const override {
    float* signal = problem.at<float>(signal_buffer);
    for_each(
        problem.where, problem.size[0] * problem.size[1],
        [=] __host__ __device__(std::int64_t i) { signal[i] = uniform(seed, i, -1.0f, 1.0f); });
  }

  Mismatch check(const Problem& initial, const Problem& result) const override {
    const float* signal = initial.at<float>(signal_buffer);
    const std::int64_t samples = result.size[0];
    const std::int64_t channels = result.size[1];
    return compare(result.where, channels, result.at<float>(energy_buffer), energy_buffer,
                   [=] __host__ __device__(std::int64_t channel) {
                     return energy_of(signal, samples, channels, channel);
                   });
  }

  const void* bind(const Problem& problem) override {
    args_ = {problem.at<float>(signal_buffer), problem.at<float>(energy_buffer), problem.size[0],
             problem.size[1]};
    return &args_;
  }

  LeastWork least_work(const Size& size) const override {
    const double samples = static_cast<double>(size[0]);
    const double channels = static_cast<double>(size[1]);
    return {4.0 * channels * (samples + 1), 2.0 * filters * channels * (samples + 1)};
  }

 private:
  Args args_{};
};

}  // namespace

extern "C" klab::Workload* klab_make_workload() { return new FilterBank; }
