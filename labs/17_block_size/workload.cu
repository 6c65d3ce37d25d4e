// Lab 17: a random signal and random limits, so that about half of the samples are cut off.
#include <cfloat>

#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

/// Special values, and samples at the limits and right beside them, where a distance rounds away.
struct AtLimits {
  __host__ __device__ float operator()(const Args& given, std::uint64_t seed,
                                       std::uint64_t index) const {
    const std::uint64_t bits = hash(seed + 1, index);
    if (bits % 2 == 0) return Specials{-1, 1, 3e38f, true, false}(seed, index);
    const float limit = bits / 2 % 2 == 0 ? given.low : given.high;
    const std::uint64_t side = bits / 4 % 3;
    return side == 0 ? limit : nextafterf(limit, side == 1 ? -INFINITY : INFINITY);
  }
};

/// Limits of one side at which code for ordinary ones goes wrong: none at all, a half, large ones
/// that are not meant for none, and, where the other one is sure to lie beyond them, the number
/// next to zero and zeros of both signs.
struct SpecialLimit {
  float sign;
  bool at_zero;
  __host__ __device__ float operator()(std::uint64_t seed, std::uint64_t index) const {
    const std::uint64_t kind = hash(seed, index) % (at_zero ? 8 : 4);
    if (kind == 0) return sign * INFINITY;
    if (kind == 1) return sign * 0.5f;
    if (kind == 2) return sign * FLT_MAX;
    if (kind == 3) return sign * exp2f(uniform(seed, ~index, 20, 127));
    if (kind == 4) return sign * 0x1p-149f;
    return kind == 5 ? -0.0f : 0.0f;
  }
};

/// For a quarter of the sizes as far from zero on both sides, and so far or so little that its
/// square is infinite, or zero: one comparison of squares does not stand for two. For a sixteenth
/// there is none on either side, and for another one the last number, which infinity is limited to.
float limit_of_both(std::int64_t count) {
  if (count % 16 == 3) return INFINITY;
  if (count % 16 == 7) return FLT_MAX;
  if (count % 4 != 1) return 0;
  const std::uint64_t bits = hash(17, static_cast<std::uint64_t>(count));
  const int power = 76 + static_cast<int>(bits / 2 % 50);
  return ldexpf(1, bits % 2 == 0 ? power : -power);
}

struct Limited final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t count = size[0];
    fields.input<&Args::in>(count, Sometimes{Uniform{-1, 1}, AtLimits{}});
    fields.output<&Args::out>(count);
    fields.value<&Args::count>(count);
    // Usually far from zero on either side of it; sometimes both above or both below, as the size
    // has it, and one so close that a distance from the middle rounds its neighbours away. Either
    // may be larger than what samples usually are.
    const auto side = count % 3;
    const Uniform close = side == 0 ? Uniform{1e-3, 1e-2} : Uniform{-1e-2, -1e-3};
    const auto far = [](float from, float to) {
      return Either{Uniform{from, to}, Uniform{from * 1e6f, to * 1e6f}};
    };
    const auto closely = Either{close, close};
    const float both = limit_of_both(count);
    const auto low = Either{side == 2 ? far(-0.8f, -0.4f) : closely, SpecialLimit{-1, side != 2}},
               high = Either{side == 2 ? closely : far(0.4f, 0.8f), SpecialLimit{1, side == 2}};
    fields.drawn<&Args::low>(
        Sometimes{Uniform{-0.75, -0.25}, FirstIf{both != 0, Constant{-both}, low}});
    fields.drawn<&Args::high>(
        Sometimes{Uniform{0.25, 0.75}, FirstIf{both != 0, Constant{both}, high}});
  }

  Mismatch first_wrong(const Answer<Args>& answer) const override {
    const Args given = answer.given;
    return answer.compare<&Args::out>([=] __host__ __device__(std::int64_t i) -> Expected {
      const float sample = given.in[i];
      const float want = sample < given.low ? given.low : sample > given.high ? given.high : sample;
      // One of three floats is chosen, and nothing rounds. Which of two zeros is the larger one
      // nobody says.
      const bool zeros = want == 0 && (given.low == 0 || given.high == 0);
      return {want, zeros ? 0x1p-150 : 0};
    });
  }
};

const Offer<Limited> offer;

}  // namespace
