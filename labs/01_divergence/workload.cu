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

/// The same share, side by side: a quarter of the bodies from a random place on.
struct KindsInRuns {
  std::int64_t count;
  __host__ __device__ int operator()(std::uint64_t seed, std::uint64_t i) const {
    const auto n = static_cast<std::uint64_t>(count);
    return (i + hash(seed, ~0ull) % n) % n < (n + 2) / 4 ? 1 : 0;
  }
};

/// Every third body at the lowest temperature, every third one at the highest.
struct Extremes {
  __host__ __device__ float operator()(std::uint64_t seed, std::uint64_t i) const {
    const std::uint64_t third = hash(seed, i) % 3;
    return third == 0 ? ambient : third == 1 ? 2.0f : uniform(seed, i, ambient, 2);
  }
};

struct CoolingBodies final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t count = size[0];
    fields.input<&Args::start>(count, Sometimes{Uniform{ambient, 2}, Extremes{}});
    fields.input<&Args::kind>(count, Sometimes{Kind{}, KindsInRuns{count}});
    fields.output<&Args::end>(count);
    fields.value<&Args::count>(count);
    // As written in the start, a conduction step takes 6 operations and a radiation step 5. Worked
    // out as polynomials the former is two fused multiply-adds; with temperatures in units that
    // make the step 1, the latter is a square, a sum and a fused multiply-add. Nobody needs fewer
    // than 4.
    const double each = 4 * (0.75 * conduction_steps + 0.25 * radiation_steps);
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
