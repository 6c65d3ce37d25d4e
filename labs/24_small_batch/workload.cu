// Lab 24: clusters of random bodies, and the potential of each body in double precision.
#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

/// Four random numbers from 0 to 1.
struct Star {
  __host__ __device__ float4 operator()(std::uint64_t seed, std::uint64_t index) const {
    return {uniform(seed, 4 * index, 0, 1), uniform(seed, 4 * index + 1, 0, 1),
            uniform(seed, 4 * index + 2, 0, 1), uniform(seed, 4 * index + 3, 0, 1)};
  }
};

/// Stars at the corners of a cube, many at the same place, half of them without mass.
struct StarAtCorner {
  __host__ __device__ float4 operator()(std::uint64_t seed, std::uint64_t index) const {
    const std::uint64_t bits = hash(seed, index);
    const auto corner = [=](int axis) { return static_cast<float>(bits >> axis & 1); };
    return {corner(0), corner(1), corner(2), corner(3) * uniform(seed, index, 0, 1)};
  }
};

struct Potential final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t clusters = size[0], bodies = size[1];
    fields.input<&Args::stars>(clusters * bodies, Sometimes{Star{}, StarAtCorner{}});
    fields.output<&Args::potential>(clusters * bodies);
    fields.value<&Args::clusters>(clusters);
    fields.value<&Args::bodies>(bodies);
    // Three differences, three multiply-adds for the square, one for the sum: eleven operations a
    // pair, and a pair may be computed once for both.
    fields.work({.fp32 = 5.5 * static_cast<double>(clusters) * static_cast<double>(bodies) *
                         static_cast<double>(bodies)});
  }

  /// Every term is positive. Its distance squared is made of differences, products and sums, at
  /// most 8 roundings that the root halves; the root's reciprocal is good to 2 units, and there is
  /// a product: at most 10 roundings. Adding up `bodies` terms, in any order, adds one for each.
  Mismatch first_wrong(const Answer<Args>& answer) const override {
    const Args given = answer.given;
    return answer.compare<&Args::potential>([=] __host__ __device__(std::int64_t i) -> Expected {
      const float4 own = given.stars[i];
      const float4* cluster = given.stars + i / given.bodies * given.bodies;
      double sum = 0;
      for (int k = 0; k < given.bodies; ++k) {
        const double x = static_cast<double>(cluster[k].x) - own.x;
        const double y = static_cast<double>(cluster[k].y) - own.y;
        const double z = static_cast<double>(cluster[k].z) - own.z;
        sum += cluster[k].w / sqrt(x * x + y * y + z * z + static_cast<double>(softening));
      }
      return {sum, (given.bodies + 10) * 0x1p-24 * sum};
    });
  }
};

const Offer<Potential> offer;

}  // namespace
