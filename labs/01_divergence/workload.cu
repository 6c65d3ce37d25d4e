// Lab 01: bodies of two kinds in random order, and their cooling in double precision.
#include "contract.cuh"
#include "runner/workload/workload.cuh"

namespace {

using namespace klab;

/// Buffers in the order of buffers().
enum Buffer : std::size_t { start_buffer, kind_buffer, end_buffer };

/// Error of a correct float result. Both laws pull every temperature towards `ambient`, so an error
/// made in one step does not grow in the next ones; each step adds one rounding of a temperature of
/// at most 2, which is 2^-24 of it, and a quarter more covers the roundings inside the step, which
/// are scaled by the length of the step. Leaving out one step changes a hot body by ten times as
/// much.
constexpr double tolerance = radiation_steps * 1.25 * 2.0 * 0x1p-24;

/// Temperature of a body after all its steps, with the float kernel's steps but without its
/// roundings.
__host__ __device__ double cooled(double t, int kind) {
  const double around = ambient;
  if (kind == 0) {
    for (int step = 0; step < conduction_steps; ++step)
      t -= conduction_step * ((1 + 0.5 * t) * (t - around));
  } else {
    for (int step = 0; step < radiation_steps; ++step)
      t -= radiation_step * (t * t * (t * t) - around * around * around * around);
  }
  return t;
}

class CoolingBodies final : public Workload {
 public:
  std::vector<BufferSpec> buffers(const Size& size) const override {
    const auto count = static_cast<std::size_t>(size[0]);
    return {{"start", count, sizeof(float), Role::input},
            {"kind", count, sizeof(std::uint8_t), Role::input},
            {"end", count, sizeof(float), Role::output}};
  }

  void fill(const Problem& problem, std::uint64_t seed) const override {
    float* start = problem.at<float>(start_buffer);
    auto* kind = problem.at<std::uint8_t>(kind_buffer);
    for_each(problem.where, problem.size[0], [=] __host__ __device__(std::int64_t i) {
      start[i] = uniform(seed, i, ambient, 2.0f);
      kind[i] = static_cast<std::uint8_t>(hash(~seed, i) >> 62 == 0 ? 1 : 0);
    });
  }

  Mismatch check(const Problem& initial, const Problem& result) const override {
    const float* start = initial.at<float>(start_buffer);
    const auto* kind = initial.at<std::uint8_t>(kind_buffer);
    return compare(result.where, result.size[0], result.at<float>(end_buffer), end_buffer,
                   [=] __host__ __device__(std::int64_t i) -> Expected {
                     return {cooled(start[i], kind[i]), tolerance};
                   });
  }

  const void* bind(const Problem& problem) override {
    args_ = {problem.at<float>(start_buffer), problem.at<std::uint8_t>(kind_buffer),
             problem.at<float>(end_buffer), problem.size[0]};
    return &args_;
  }

  LeastWork least_work(const Size& size) const override {
    // A conduction step takes 6 floating-point operations, a radiation step 5; one body in four
    // radiates.
    const double flops = 0.75 * 6 * conduction_steps + 0.25 * 5 * radiation_steps;
    return {9.0 * size[0], flops * size[0]};
  }

 private:
  Args args_{};
};

}  // namespace

extern "C" klab::Workload* klab_make_workload() { return new CoolingBodies; }
