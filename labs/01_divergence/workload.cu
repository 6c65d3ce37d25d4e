// Lab 01: bodies of two kinds in random order, and their cooling in double precision.
#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

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

/// One body in four radiates.
struct Kind {
  __host__ __device__ int operator()(std::uint64_t seed, std::uint64_t i) const {
    return hash(seed, i) >> 62 == 0 ? 1 : 0;
  }
};

struct CoolingBodies final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t count = size[0];
    fields.input<&Args::start>(count, Uniform{ambient, 2});
    fields.input<&Args::kind>(count, Kind{});
    fields.output<&Args::end>(count);
    fields.value<&Args::count>(count);
    // A conduction step takes 6 operations, a radiation step 5.
    const double each = 0.75 * 6 * conduction_steps + 0.25 * 5 * radiation_steps;
    fields.work({.fp32 = each * static_cast<double>(count)});
  }

  Mismatch first_wrong(const Answer<Args>& answer) const override {
    const Args given = answer.given;
    return answer.compare<&Args::end>([=] __host__ __device__(std::int64_t i) -> Expected {
      return {cooled(given.start[i], given.kind[i]), tolerance};
    });
  }
};

const Offer<CoolingBodies> offer;

}  // namespace
