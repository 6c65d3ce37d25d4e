// Lab 23: random samples in page-locked memory, and what they settle to in double precision.
#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

/// What a sample settles to, with the error that a float computation may have made on the way.
///
/// The bound runs along with the computation (running error analysis; Higham, "Accuracy and
/// Stability of Numerical Algorithms", section 3.3), with unit roundoff 2^-24. In one step an error
/// of y shrinks by the factor 1 - rate * (1 + 3 y^2) or so, at least by 1 - rate. The step adds at
/// most four roundings to what is scaled by `rate` (a product, a sum, a product and a difference,
/// each no larger than |x| + |y| (1 + y^2)), and two of its own: of the product with `rate`, and of
/// the new y.
__host__ __device__ Expected settled(float sample, float rate, int steps) {
  constexpr double roundoff = 0x1p-24;
  const double x = sample, h = rate;
  double y = 0, error = 0;
  for (int step = 0; step < steps; ++step) {
    const double pull = y * (1 + y * y);
    const double size = fabs(x) + fabs(pull);
    error *= 1 - h;
    y += h * (x - pull);
    error += roundoff * (5 * h * size + fabs(y)) + 0x1p-147;  // next to zero no share of it
  }
  return {y, error};
}

struct Settling final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t samples = size[0], steps = size[1];
    fields.input<&Args::in>(samples, Sometimes{Uniform{-1, 1}, Specials{-1, 1, 1, false, false}},
                            Memory::pinned_host);
    fields.output<&Args::out>(samples, Memory::pinned_host);
    fields.scratch<&Args::room>(samples);
    fields.value<&Args::samples>(samples);
    fields.value<&Args::steps>(steps);
    fields.drawn<&Args::rate>(
        Sometimes{Uniform{0.01f, 0.03f}, Either{Uniform{0.03f, 0.1f}, Uniform{0.1f, 0.2f}}});
    // Three fused multiply-adds a step as written, two with values in units of the rate's root.
    fields.work({.fp32 = 4.0 * static_cast<double>(samples) * static_cast<double>(steps)});
  }

  Mismatch first_wrong(const Answer<Args>& answer) const override {
    const Args given = answer.given;
    return answer.compare<&Args::out>([=] __host__ __device__(std::int64_t i) {
      return settled(given.in[i], given.rate, given.steps);
    });
  }
};

const Offer<Settling> offer;

}  // namespace
