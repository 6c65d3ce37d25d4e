// Lab 12: a picture of so many grey values, evenly spread, and the count of each.
#include <vector>

#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

constexpr std::int64_t pixels_per_part = 16384;

/// `shades` different values, which ones is for the seed to say: multiples of an odd number are all
/// different.
struct Shades {
  std::uint64_t shades;
  __host__ __device__ std::uint8_t operator()(std::uint64_t seed, std::uint64_t index) const {
    const std::uint64_t shade = (hash(seed, index) >> 20) % shades;
    return static_cast<std::uint8_t>(seed + shade * (2 * (seed >> 32 & 127) + 1));
  }
};

/// The same shades side by side, the darkest first: long runs of one value. Beside a single one a
/// few pixels of others, so that what is left of the whole is a small difference of large numbers.
struct ShadesInRuns {
  std::uint64_t shades, count;
  __host__ __device__ std::uint8_t operator()(std::uint64_t seed, std::uint64_t index) const {
    if (const std::uint64_t bits = hash(~seed, index); shades == 1 && bits % (1 << 14) == 0)
      return static_cast<std::uint8_t>(bits >> 32);
    return static_cast<std::uint8_t>(seed + index * shades / count);
  }
};

/// The counts of all parts side by side, where the problem lives.
class Parts {
 public:
  Parts(Where where, std::int64_t parts) : where_(where) {
    const auto count = static_cast<std::size_t>(parts * values);
    if (where == Where::host)
      host_.resize(count);
    else
      detail::require(cudaMalloc(&device_, count * sizeof(unsigned)), "reference");
  }
  ~Parts() { cudaFree(device_); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  unsigned* data() { return where_ == Where::host ? host_.data() : device_; }

 private:
  Where where_;
  std::vector<unsigned> host_;
  unsigned* device_ = nullptr;
};

struct Histogram final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t count = size[0], shades = size[1];
    const auto different = static_cast<std::uint64_t>(shades);
    fields.input<&Args::pixels>(
        count,
        Sometimes{Shades{different}, ShadesInRuns{different, static_cast<std::uint64_t>(count)}});
    fields.output<&Args::counts>(values);
    fields.value<&Args::count>(count);
  }

  bool checks_parts() const override { return false; }

  Mismatch first_wrong(const Answer<Args>& answer) const override {
    const std::uint8_t* pixels = answer.given.pixels;
    const std::int64_t count = answer.given.count;
    const std::int64_t parts = (count + pixels_per_part - 1) / pixels_per_part;
    Parts counted(answer.where, parts);
    unsigned* in_part = counted.data();
    for_each(answer.where, parts, [=] __host__ __device__(std::int64_t part) {
      unsigned* mine = in_part + part * values;
      for (int value = 0; value < values; ++value) mine[value] = 0;
      const std::int64_t begin = part * pixels_per_part, end = begin + pixels_per_part;
      for (std::int64_t i = begin; i < end && i < count; ++i) ++mine[pixels[i]];
    });
    return answer.compare<&Args::counts>([=] __host__ __device__(std::int64_t value) -> Expected {
      double sum = 0;
      for (std::int64_t part = 0; part < parts; ++part) sum += in_part[part * values + value];
      return {sum, 0};  // counts are whole numbers
    });
  }
};

const Offer<Histogram> offer;

}  // namespace
