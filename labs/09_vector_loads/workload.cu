// Lab 09: random pixels behind a header.
#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

/// Half of the pixels right beside the one that reaches 255, or where a byte's sign changes; of
/// areas of 64 pixels one in eight is white, one is black, and in one each 8 pixels are alike: so
/// are some words of a vector, and others are not.
struct AtTheBorder {
  __host__ __device__ std::int64_t operator()(const Args& given, std::uint64_t seed,
                                              std::uint64_t index) const {
    const std::uint64_t area = hash(~seed, index / 64) % 8;
    if (area < 2) return area == 0 ? 255 : 0;
    if (area == 2) return Integers{0, 255}(~seed, index / 8);
    const std::uint64_t bits = hash(seed, index);
    const auto beside = static_cast<std::int64_t>(bits / 4 % 5) - 2;
    if (bits % 4 == 0) return 255 - given.more + (beside > given.more ? 0 : beside);
    if (bits % 4 == 1) return 128 + beside;
    return Integers{0, 255}(seed, index);
  }
};

struct Brighter final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t pixels = size[0], header = size[1];
    fields.input<&Args::in>(header + pixels, Sometimes{Integers{0, 255}, AtTheBorder{}});
    fields.output<&Args::out>(header + pixels, Memory::device, header);
    fields.value<&Args::header>(header);
    fields.value<&Args::pixels>(pixels);
    // The largest most often: only with it, a table of sums needs its last entry.
    constexpr Either near_the_ends{Integers{1, 4}, Integers{121, 127}};
    fields.drawn<&Args::more>(
        Sometimes{Integers{1, 127}, Either{Integers{127, 127}, near_the_ends}});
  }

  Mismatch first_wrong(const Answer<Args>& answer) const override {
    const Args given = answer.given;
    return answer.compare<&Args::out>([=] __host__ __device__(std::int64_t i) -> Expected {
      const int sum = given.in[i] + given.more;
      // Whole numbers are exact. Whatever stands in the header is within 255 of anything.
      return {static_cast<double>(sum < 255 ? sum : 255), i < given.header ? 255.0 : 0.0};
    });
  }
};

const Offer<Brighter> offer;

}  // namespace
