// Lab 07: a random matrix, to be transposed.
#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

struct Transposed final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t rows = size[0], columns = size[1];
    fields.input<&Args::in>(rows * columns, Sometimes{Uniform{-1, 1}, Specials{-1, 1, 3e38f}});
    fields.output<&Args::out>(rows * columns);
    fields.value<&Args::rows>(rows);
    fields.value<&Args::columns>(columns);
  }

  Mismatch first_wrong(const Answer<Args>& answer) const override {
    const Args given = answer.given;
    return answer.compare<&Args::out>([=] __host__ __device__(std::int64_t i) -> Expected {
      const std::int64_t row = i % given.rows, column = i / given.rows;
      return {given.in[row * given.columns + column], 0};  // nothing is computed, so nothing rounds
    });
  }
};

const Offer<Transposed> offer;

}  // namespace
