// Lab 02: a random matrix and a random gain for each row.
#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

struct ScaledRows final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t rows = size[0], columns = size[1];
    fields.input<&Args::in>(rows * columns, Sometimes{Uniform{-1, 1}, Specials{-1, 1, 3e38f}});
    fields.input<&Args::gain>(rows,
                              Sometimes{Uniform{0.5, 2}, Specials{-2, 2, 1e6f, false, false}});
    fields.output<&Args::out>(rows * columns);
    fields.value<&Args::rows>(rows);
    fields.value<&Args::columns>(columns);
    fields.work({.fp32 = static_cast<double>(rows) * static_cast<double>(columns)});
  }

  Mismatch first_wrong(const Answer<Args>& answer) const override {
    const Args given = answer.given;
    return answer.compare<&Args::out>([=] __host__ __device__(std::int64_t i) -> Expected {
      const double want = static_cast<double>(given.gain[i / given.columns]) * given.in[i];
      // One multiplication, rounded once: at most half a unit in the last place, 2^-24 of the
      // value, or next to zero of the smallest float.
      return {want, fabs(want) * 0x1p-24 + 0x1p-150};
    });
  }
};

const Offer<ScaledRows> offer;

}  // namespace
