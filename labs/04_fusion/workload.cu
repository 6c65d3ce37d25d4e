// Lab 04: random inputs, scale and bias, and out = residual + relu(scale * in + bias) in double
// precision.
#include <cfloat>

#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

/// Of either sign and of any size; one of four is 1 or -1.
struct AnyScale {
  __host__ __device__ float operator()(std::uint64_t seed, std::uint64_t index) const {
    const std::uint64_t bits = hash(~seed, index);
    const float power = bits / 8 % 3 == 0 ? 100 : 20;
    const float size = bits / 2 % 4 == 0 ? 1 : exp2f(uniform(seed, index, -power, power));
    return bits % 2 == 0 ? size : -size;
  }
};

/// None at all, ordinary ones, and any.
struct AnyBias {
  __host__ __device__ float operator()(std::uint64_t seed, std::uint64_t index) const {
    const std::uint64_t manner = hash(seed, ~index) % 3;
    return manner == 0   ? 0.0f
           : manner == 1 ? uniform(seed, index, -0.5f, 0.5f)
                         : AnyScale{}(seed, index);
  }
};

struct ScaledResidual final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t count = size[0];
    fields.input<&Args::in>(count, Sometimes{Uniform{-1, 1}, Specials{-1, 1, 1e38f, true, false}});
    fields.input<&Args::residual>(
        count, Sometimes{Uniform{-1, 1}, Specials{-1, 1, 1e38f, true, true, 10}});
    fields.scratch<&Args::scratch>(count);
    fields.output<&Args::out>(count);
    fields.value<&Args::count>(count);
    fields.drawn<&Args::scale>(Sometimes{Uniform{0.5, 2}, AnyScale{}});
    fields.drawn<&Args::bias>(Sometimes{Uniform{-0.5, 0.5}, AnyBias{}});
    // A fused multiply-add; where it is not above zero there is nothing to add.
    fields.work({.fp32 = 2.0 * static_cast<double>(count)});
  }

  Mismatch first_wrong(const Answer<Args>& answer) const override {
    const Args given = answer.given;
    return answer.compare<&Args::out>([=] __host__ __device__(std::int64_t i) -> Expected {
      // Three roundings at most, of the product, of the sum with the bias and of the sum with the
      // residual; each is at most 2^-24 of what it rounds. relu does not enlarge an error, and
      // makes none of a sum that is surely negative: then the residual is the result as it is. A
      // fused multiply-add only saves a rounding, so it lies within the same bound.
      // Beyond the largest float it is infinite, or what it is for who computes in double.
      const double exact = static_cast<double>(given.scale) * given.in[i];
      const double product = fabs(exact) > FLT_MAX ? copysign(INFINITY, exact) : exact;
      const double sum = product + static_cast<double>(given.bias);
      const double want = given.residual[i] + (sum > 0 ? sum : 0);
      const double wide_sum = exact + static_cast<double>(given.bias);
      const double wide = given.residual[i] + (wide_sum > 0 ? wide_sum : 0);
      const double off = (fabs(exact) + fabs(wide_sum)) * 1.01 * 0x1p-24 + 0x1p-149;
      if (sum < -off || sum == -INFINITY) return {want, 0x1p-150};
      return {want, off + fabs(wide) * 1.01 * 0x1p-24 + 0x1p-149, wide};
    });
  }
};

const Offer<ScaledResidual> offer;

}  // namespace
