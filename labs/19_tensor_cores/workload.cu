// Lab 19: random normal matrices, and their product in double precision.
#include <bit>
#include <cstdint>

#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

/// As __half2float(), whose host side takes a dozen operations and as many branches: exponent and
/// fraction lie in a float as they do in a half, and one multiplication makes up for the bias, also
/// of those too small for a normal half (IEEE 754-2008, 3.4).
__host__ __device__ inline float widened(__half half) {
#ifdef __CUDA_ARCH__
  return __half2float(half);
#else
  constexpr std::uint32_t sign = 0x8000, infinity = 0x7c00, float_infinity = 0x7f800000;
  const std::uint32_t bits = __half_raw(half).x, magnitude = bits & ~sign;
  const float finite = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  const std::uint32_t wide = std::bit_cast<std::uint32_t>(finite);
  return std::bit_cast<float>((bits & sign) << 16 |
                              (magnitude < infinity ? wide : wide | float_infinity));
#endif
}

/// One element of the product, with the error that adding up in float and rounding to half may
/// make.
///
/// A product of two halves has 22 bits, so it is exact in float. A partial sum of j products of
/// independent numbers around 0 is a random walk: it stays below 8 times the root of the sum of
/// their squares, beyond which a normal number lies once in 10^15. Each of the k additions, in any
/// order, is off by at most a unit in the last place of such a partial sum, 2^-23 where the unit
/// cuts off instead of rounding as tensor cores do; they add four products or more at a time, so
/// that k roundings of 2^-24 cover them. A product of zero changes nothing: where few are not, each
/// may have cut off itself and what it was added to, a unit each. Where they cut off goes by the
/// exponents of the factors, and a number too small for a normal half has that of the smallest one:
/// 2^-24 times 65,504 counts as 2^-14 times that (tests/simulator/matrices holds what an H200
/// gives). The last rounding, to half, adds half a unit: 2^-11 of the value, or 2^-25 where halves
/// end.
__host__ __device__ Expected element(const Args& given, std::int64_t row, std::int64_t column) {
  double sum = 0;
  float squares = 0;
  std::int64_t terms = 0;
  for (std::int64_t i = 0; i < given.k; ++i) {
    const float a = widened(given.a[row * given.k + i]), b = widened(given.b[i * given.n + column]);
    if (a * b == 0) continue;
    constexpr float least = 0x1p-14f;
    const float weight = fmaxf(fabsf(a), least) * fmaxf(fabsf(b), least);
    sum += a * b;
    squares += weight * weight;
    ++terms;
  }
  const double walk = 8 * sqrt(static_cast<double>(squares));
  const auto roundings = static_cast<double>(4 * terms < given.k ? 4 * terms : given.k);
  const double adding = roundings * 0x1p-24 * walk;
  return {sum, adding + 0x1p-11 * fabs(sum) + 0x1p-25};
}

/// In one half of the rows (of a) and columns (of b) every second element is zero, in the other all
/// but so many that a sum has eight terms or so: where few are added up, the error of one shows.
/// The others are so large that some products leave what a half can hold. In three of four
/// problems one row, or column, in eight has a number at which code for ordinary ones goes wrong;
/// and one tile of a in eight is zero, which may be left out only if nothing of b is infinite or no
/// number there.
struct Sparse {
  std::uint64_t terms, sums;
  bool in_rows;
  __host__ __device__ float operator()(std::uint64_t seed, std::uint64_t index) const {
    const std::uint64_t sum = in_rows ? index / terms : index % sums;
    if (in_rows && is_in_zero_tile(seed, sum, index % terms)) return 0;
    const bool few = hash(seed ^ 0x19, sum) % 2 == 0;
    const float share = few ? fminf(1.0f, sqrtf(8.0f / static_cast<float>(terms))) : 0.5f;
    const std::uint64_t bits = hash(seed ^ 0x91, index);
    if (hash(seed, ~0ull) % 4 != 0 && bits / 8 % (8 * terms) == 0) return special(bits % 8);
    return uniform(~seed, index, 0, 1) < share ? Normal{0, 64}(seed, index) : 0.0f;
  }

 private:
  /// Of as many rows and terms as the tiles of most kernels have, or more.
  __host__ __device__ static bool is_in_zero_tile(std::uint64_t seed, std::uint64_t row,
                                                  std::uint64_t term) {
    return hash(hash(seed ^ 0x40, row / 128), term / 64) % 8 == 0;
  }
  __host__ __device__ static float special(std::uint64_t kind) {
    constexpr float largest = 65504, smallest = 0x1p-24f;
    switch (kind / 2) {
      case 0:
        return kind % 2 == 0 ? INFINITY : -INFINITY;
      case 1:
        return kind % 2 == 0 ? largest : -largest;
      case 2:
        return NAN;
      default:
        return kind % 2 == 0 ? smallest : -0.0f;
    }
  }
};

struct HalfProduct final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t m = size[0], n = size[1], k = size[2];
    const auto terms = static_cast<std::uint64_t>(k), columns = static_cast<std::uint64_t>(n);
    fields.input<&Args::a>(m * k, Sometimes{Normal{}, Sparse{terms, 0, true}});
    fields.input<&Args::b>(k * n, Sometimes{Normal{}, Sparse{terms, columns, false}});
    fields.output<&Args::c>(m * n);
    fields.value<&Args::m>(m);
    fields.value<&Args::n>(n);
    fields.value<&Args::k>(k);
    fields.work({.tensor_half = 2.0 * static_cast<double>(m) * static_cast<double>(n) *
                                static_cast<double>(k)});
  }

  Mismatch first_wrong(const Answer<Args>& answer) const override {
    const Args given = answer.given;
    return answer.compare<&Args::c>([=] __host__ __device__(std::int64_t i) {
      return element(given, i / given.n, i % given.n);
    });
  }
};

const Offer<HalfProduct> offer;

}  // namespace
