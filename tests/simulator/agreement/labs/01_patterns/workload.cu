// The inputs of the patterns. There is no reference: what the GPU writes is what is right.
#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

constexpr std::int64_t words = 131072;

struct Patterns final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    fields.input<&Args::x>(words, Integers{0, 15});
    fields.input<&Args::k>(words, [] __host__ __device__(std::uint64_t seed, std::uint64_t i) {
      return static_cast<int>(hash(seed, i) >> 32);
    });
    fields.inout<&Args::y>(words, Constant<unsigned>{0});
    fields.value<&Args::pattern>(size[0]);
  }

  Mismatch first_wrong(const Answer<Args>&) const override {
    Mismatch nothing_to_compare_with;
    nothing_to_compare_with.total = words;
    return nothing_to_compare_with;
  }
};

const Offer<Patterns> offer;

}  // namespace
