// Lab 21: tensors of uneven lengths, each with a rate of its own.
#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

/// Where tensor `index` starts: its even share of the elements, moved by less than one share.
struct Starts {
  std::int64_t tensors, share;
  __host__ __device__ std::int64_t operator()(std::uint64_t, std::uint64_t index) const {
    const auto tensor = static_cast<std::int64_t>(index);
    if (tensor == 0 || tensor == tensors) return tensor * share;
    return tensor * share +
           static_cast<std::int64_t>(hash(21, index) % static_cast<std::uint64_t>(share));
  }
};

struct DescentStep final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t tensors = size[0], share = size[1], elements = tensors * share;
    fields.inout<&Args::weights>(elements, Sometimes{Uniform{-1, 1}, Specials{-1, 1, 1e38f}});
    fields.input<&Args::gradients>(elements, Sometimes{Uniform{-1, 1}, Specials{-1, 1, 1e38f}});
    fields.input<&Args::rates>(tensors,
                               Sometimes{Uniform{0.01f, 1}, Specials{-1, 2, 2, false, false}});
    fields.input<&Args::starts>(tensors + 1, Starts{tensors, share}, Memory::pinned_host);
    fields.scratch<&Args::table>(tensors + 1);
    fields.value<&Args::elements>(elements);
    fields.value<&Args::tensors>(tensors);
    fields.work({.fp32 = 2.0 * static_cast<double>(elements)});
  }

  Mismatch first_wrong(const Answer<Args>& answer) const override {
    const Args given = answer.given;
    const std::int64_t share = given.elements / given.tensors;
    return answer.compare<&Args::weights>([=] __host__ __device__(std::int64_t i) -> Expected {
      std::int64_t tensor = i / share;
      if (i < given.starts[tensor]) --tensor;
      const double step = static_cast<double>(given.rates[tensor]) * given.gradients[i];
      const double want = given.weights[i] - step;
      // A product and a difference, each rounded once: half a unit in the last place, 2^-24.
      const double rounded = fabs(step) + fabs(want);
      return {want, 0x1p-24 * rounded * (1 + 0x1p-20) + 0x1p-148};
    });
  }
};

const Offer<DescentStep> offer;

}  // namespace
