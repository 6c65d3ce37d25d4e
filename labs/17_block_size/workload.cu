// Lab 17: a random signal and random limits, so that about half of the samples are cut off.
#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

struct Limited final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t count = size[0];
    fields.input<&Args::in>(count, Uniform{-1, 1});
    fields.output<&Args::out>(count);
    fields.value<&Args::count>(count);
    fields.drawn<&Args::low>(Uniform{-0.75, -0.25});
    fields.drawn<&Args::high>(Uniform{0.25, 0.75});
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
