// Lab 17: a random signal and random limits, so that about half of the samples are cut off.
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
    fields.drawn<&Args::low>(
        Sometimes{Uniform{-0.75, -0.25}, side == 2 ? far(-0.8f, -0.4f) : closely});
    fields.drawn<&Args::high>(
        Sometimes{Uniform{0.25, 0.75}, side == 2 ? closely : far(0.4f, 0.8f)});
  }

  Mismatch first_wrong(const Answer<Args>& answer) const override {
    const Args given = answer.given;
    return answer.compare<&Args::out>([=] __host__ __device__(std::int64_t i) -> Expected {
      const float sample = given.in[i];
      const float want = sample < given.low ? given.low : sample > given.high ? given.high : sample;
      return {want, 0};  // one of three floats is chosen: nothing rounds
    });
  }
};

const Offer<Limited> offer;

}  // namespace
