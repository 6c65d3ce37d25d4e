// Lab 16: random points and coefficients, and Horner's rule in double precision.
#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

/// Half of the points, the first one among them, so close to 1 or -1 that even the highest power
/// keeps a third: where most points are small, coefficients far behind are lost in the tolerance.
struct Points {
  __host__ __device__ float operator()(std::uint64_t seed, std::uint64_t index) const {
    const std::uint64_t bits = hash(~seed, index);
    if (index > 0 && bits % 2 == 0) return uniform(seed, index, -1, 1);
    const float near = 1 - uniform(seed, index, 0, 1.0f / most_terms);
    return bits / 2 % 2 == 0 ? near : -near;
  }
};

/// Each counts: where x is near 1, the smallest one makes three times the largest tolerance.
struct Coefficients {
  __host__ __device__ float operator()(std::uint64_t seed, std::uint64_t index) const {
    const float size = uniform(seed, index, 0.5f, 1);
    return hash(~seed, index) % 2 == 0 ? size : -size;
  }
};

/// About ten that are not zero, the first and the last among them: the error of one shows.
struct FewCoefficients {
  int terms;
  __host__ __device__ float operator()(std::uint64_t seed, std::uint64_t index) const {
    const float share = 1 / (1 + 0.5f * static_cast<float>(index));
    const bool counts = index + 1 == static_cast<std::uint64_t>(terms) ||
                        uniform(hash(seed, ~0ull), index, 0, 1) < share;
    return counts ? Coefficients{}(seed, index) : 0.0f;
  }
};

/// Not close to 1 nor to 0: a high power is next to nothing, and no more than that.
struct BelowOne {
  __host__ __device__ float operator()(std::uint64_t seed, std::uint64_t index) const {
    const float size = uniform(seed, ~2ull, 0.84f, 0.94f) + uniform(seed, index, 0, 0.02f);
    return hash(~seed, index) % 2 == 0 ? size : -size;
  }
};

/// So large that its term counts all the same, and all others zero: in the upper half.
struct OneOfAHighPower {
  int terms;
  __host__ __device__ float operator()(std::uint64_t seed, std::uint64_t index) const {
    const std::uint64_t below_last =
        hash(seed, ~1ull) % static_cast<std::uint64_t>((terms + 1) / 2);
    return index + 1 + below_last == static_cast<std::uint64_t>(terms) ? 1e30f : 0.0f;
  }
};

/// Where that power of x is next to nothing or nothing at all, and 1e30 times as much is not: who
/// forms the power by itself has lost it.
struct WherePowerVanishes {
  int power;
  __host__ __device__ float operator()(std::uint64_t seed, std::uint64_t index) const {
    const float size = exp2f(-uniform(seed, index, 138, 150) / static_cast<float>(power));
    return hash(~seed, index) % 2 == 0 ? size : -size;
  }
};

struct OneCoefficient {
  int power;
  __host__ __device__ float operator()(std::uint64_t, std::uint64_t index) const {
    return index == static_cast<std::uint64_t>(power) ? 1e30f : 0.0f;
  }
};

/// One that somebody forms who cuts the polynomial in two, four or eight parts, or goes by powers
/// of two; now and then another one.
int power_to_form(std::int64_t count, int terms) {
  const std::uint64_t bits = hash(static_cast<std::uint64_t>(count), 0);
  switch (bits % 8) {
    case 0:
    case 1:
      return (terms + 1) / 2;
    case 2:
    case 3:
    case 4:
      return (terms + 3) / 4;
    case 5:
      return (terms + 7) / 8;
    case 6:
      return static_cast<int>(bits / 8 % static_cast<std::uint64_t>(terms));
    default:
      break;
  }
  int power = 1;
  while (2 * power < terms) power *= 2;
  return power;
}

struct Polynomial final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t count = size[0], terms = size[1];
    const int many = static_cast<int>(terms);
    // For one size in eight a term that who leaves out small powers does not see.
    const bool vanishing = (count + terms) % 8 == 3;
    const int formed = power_to_form(count, many);
    const bool in_parts = (count + terms) % 4 == 2 && formed >= 2;
    const auto points = FirstIf{in_parts, WherePowerVanishes{formed},
                                Either{Points{}, Specials{-1, 1, 1, false, false}}};
    const auto coefficients =
        FirstIf{in_parts, OneCoefficient{formed},
                OrSmall{Either{FewCoefficients{many}, Specials{-1, 1, 1e30f, false, false}}, -132}};
    fields.input<&Args::points>(count, Sometimes{Points{}, FirstIf{vanishing, BelowOne{}, points}});
    fields.input<&Args::coefficients>(
        terms, Sometimes{Coefficients{}, FirstIf{vanishing, OneOfAHighPower{many}, coefficients}});
    fields.output<&Args::values>(count);
    fields.value<&Args::count>(count);
    fields.value<&Args::terms>(terms);
    // One multiply-add for each term but the first.
    fields.work({.fp32 = 2.0 * static_cast<double>(count) * static_cast<double>(terms - 1)});
  }

  /// Each term c * x^k passes through at most k products and k sums in Horner's rule, and through
  /// no more in an order that forms powers of x first, with a few sums at the end: its share of
  /// the error is at most 2 k + 24 roundings (Higham, "Accuracy and Stability of Numerical
  /// Algorithms", section 5.1).
  Mismatch first_wrong(const Answer<Args>& answer) const override {
    const Args given = answer.given;
    return answer.compare<&Args::values>([=] __host__ __device__(std::int64_t i) -> Expected {
      const double x = given.points[i];
      double value = 0, error = 0;
      for (int k = given.terms - 1; k >= 0; --k) {
        const double c = given.coefficients[k];
        value = value * x + c;
        error = error * fabs(x) + (2 * k + 24) * fabs(c);
      }
      // Next to zero roundings are no share of the value.
      return {value, error * 0x1p-24 + given.terms * 0x1p-148};
    });
  }
};

const Offer<Polynomial> offer;

}  // namespace
