// Lab 17: a random signal and random limits, so that about half of the samples are cut off.
#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

struct Limited final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t count = size[0];
    fields.input<&Args::in>(count, Sometimes{Uniform{-1, 1}, Specials{-1, 1, 3e38f, true, false}});
    fields.output<&Args::out>(count);
    fields.value<&Args::count>(count);
    // Usually on either side of zero; sometimes both above or both below, as the size has it.
    const float side = count % 2 == 0 ? 1.0f : -1.0f;
    fields.drawn<&Args::low>(
        Sometimes{Uniform{-0.75, -0.25}, Uniform{side * 0.5f - 0.3f, side * 0.5f - 0.1f}});
    fields.drawn<&Args::high>(
        Sometimes{Uniform{0.25, 0.75}, Uniform{side * 0.5f + 0.1f, side * 0.5f + 0.3f}});
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
