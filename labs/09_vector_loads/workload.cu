// Lab 09: random pixels behind a header.
#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

struct Brighter final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t pixels = size[0], header = size[1];
    fields.input<&Args::in>(header + pixels, Integers{0, 255});
    fields.output<&Args::out>(header + pixels, Memory::device, header);
    fields.value<&Args::header>(header);
    fields.value<&Args::pixels>(pixels);
    fields.drawn<&Args::more>(Integers{1, 127});
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
