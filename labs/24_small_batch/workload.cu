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

/// Half of the stars at the corners of a cube, many at the same place. In most clusters one star
/// has mass, beside one in 64 of the others: where few terms are added up, the error of one shows.
/// In the rest half of them have. In one cluster of four all masses are tiny.
struct FewWithMass {
  std::uint64_t bodies;
  __host__ __device__ float4 operator()(std::uint64_t seed, std::uint64_t index) const {
    const std::uint64_t bits = hash(seed, index), cluster = index / bodies;
    const std::uint64_t manner = hash(~seed, cluster);
    const float4 star = Star{}(seed, index);
    const auto place = [=](int axis, float anywhere) {
      return bits >> 3 & 1 ? static_cast<float>(bits >> axis & 1) : anywhere;
    };
    const bool heavy = index % bodies == manner / 8 % bodies;
    const bool massive = heavy || (bits >> 4) % (manner % 8 == 0 ? 2 : 64) == 0;
    const float mass = manner / 2 % 4 == 0 ? star.w * 0x1p-100f : star.w;
    return {place(0, star.x), place(1, star.y), place(2, star.z), massive ? mass : 0.0f};
  }
};

struct Potential final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t clusters = size[0], bodies = size[1];
    fields.input<&Args::stars>(clusters * bodies,
                               Sometimes{Star{}, FewWithMass{static_cast<std::uint64_t>(bodies)}});
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
  /// a product: at most 10 roundings. Adding up terms, in any order, adds one for each but those
  /// of stars without mass, which change nothing.
  Mismatch first_wrong(const Answer<Args>& answer) const override {
    const Args given = answer.given;
    return answer.compare<&Args::potential>([=] __host__ __device__(std::int64_t i) -> Expected {
      const float4 own = given.stars[i];
      const float4* cluster = given.stars + i / given.bodies * given.bodies;
      double sum = 0;
      int terms = 0;
      for (int k = 0; k < given.bodies; ++k) {
        const double x = static_cast<double>(cluster[k].x) - own.x;
        const double y = static_cast<double>(cluster[k].y) - own.y;
        const double z = static_cast<double>(cluster[k].z) - own.z;
        terms += cluster[k].w > 0;
        sum += cluster[k].w / sqrt(x * x + y * y + z * z + static_cast<double>(softening));
      }
      return {sum, (terms + 10) * 0x1p-24 * sum};
    });
  }
};

const Offer<Potential> offer;

}  // namespace
