// The inputs of the random kernels. There is no reference here: their own program compares them
// with the host.
#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

struct RandomKernels final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    // Large numbers and, one in four, small ones.
    fields.input<&Args::in>(random_inputs,
                            [] __host__ __device__(std::uint64_t seed, std::uint64_t i) {
                              const std::uint64_t bits = hash(seed, i);
                              return static_cast<unsigned>(bits >> (bits % 4 == 0 ? 48 : 20));
                            });
    fields.inout<&Args::out>(random_out_words, Constant<unsigned long long>{0});
    fields.inout<&Args::sums>(
        random_sum_words,
        [] __host__ __device__(std::uint64_t, std::uint64_t i) { return random_first_sum(i); });
    fields.value<&Args::seed>(size[0]);
  }

  Mismatch first_wrong(const Answer<Args>&) const override {
    Mismatch nothing_to_compare_with;
    nothing_to_compare_with.total = random_out_words;
    return nothing_to_compare_with;
  }
};

const Offer<RandomKernels> offer;

}  // namespace
