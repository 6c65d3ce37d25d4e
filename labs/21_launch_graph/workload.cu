// Lab 21: tensors of uneven lengths, each with a rate of its own.
#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

/// Where tensor `index` starts: its even share of the elements, moved by less than one share. Where
/// their number is no multiple of 8, one tensor holds half of the elements or more, as the table of
/// a language model does, and the others share what is left.
struct Starts {
  std::int64_t tensors, share;

  /// One so long would be a kernel's whole time at sizes beyond 32-bit indices.
  static constexpr std::int64_t most_uneven = std::int64_t{1} << 24;

  __host__ __device__ std::int64_t operator()(std::uint64_t, std::uint64_t index) const {
    const auto tensor = static_cast<std::int64_t>(index);
    const std::int64_t spare = tensors * (share - 1);  // each has one element at least
    if (tensors % 8 != 0 && spare < most_uneven) {
      const auto longest =
          static_cast<std::int64_t>(hash(21, ~0ull) % static_cast<std::uint64_t>(tensors));
      return tensor + spare / 2 * tensor / tensors + (tensor > longest ? spare - spare / 2 : 0);
    }
    if (tensor == 0 || tensor == tensors) return tensor * share;
    return tensor * share +
           static_cast<std::int64_t>(hash(21, index) % static_cast<std::uint64_t>(share));
  }

  /// The tensor that an element belongs to.
  __host__ __device__ std::int64_t tensor_of(std::int64_t element) const {
    std::int64_t low = 0, high = tensors;
    while (high - low > 1) {
      const std::int64_t middle = (low + high) / 2;
      ((*this)(0, static_cast<std::uint64_t>(middle)) <= element ? low : high) = middle;
    }
    return low;
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
    const Starts starts{given.tensors, given.elements / given.tensors};
    return answer.compare<&Args::weights>([=] __host__ __device__(std::int64_t i) -> Expected {
      const double step =
          static_cast<double>(given.rates[starts.tensor_of(i)]) * given.gradients[i];
      const double want = given.weights[i] - step;
      // A product and a difference, each rounded once: half a unit in the last place, 2^-24.
      const double rounded = fabs(step) + fabs(want);
      return {want, 0x1p-24 * rounded * (1 + 0x1p-20) + 0x1p-148};
    });
  }
};

const Offer<DescentStep> offer;

}  // namespace
