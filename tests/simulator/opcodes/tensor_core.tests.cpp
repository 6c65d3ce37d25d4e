// The sums of tensor cores: the vectors against one sum at a time, and that against plain numbers.
#include "simulator/opcodes/matrix/tensor_core.hpp"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "simulator/matrices/inputs.hpp"

using namespace klab::sim;

namespace tensor_core_tests {
namespace {

// The numbers of an operand as floats.
std::vector<float> floats(const std::vector<unsigned char>& bytes, const matrices::Format& format) {
  const std::size_t count = bytes.size() * 8 / static_cast<std::size_t>(format.bits);
  std::vector<float> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto raw = static_cast<std::uint32_t>(matrices::get(bytes, format, i));
    if (format.bits == 32) {
      const std::uint32_t unread = (1u << format.unread_bits) - 1;
      out[i] = std::bit_cast<float>(raw & ~unread);
    } else if (format.exponent_bits == 8) {
      out[i] = std::bit_cast<float>(raw << 16);
    } else {
      const int exponent = static_cast<int>(raw >> 10 & 0x1f),
                fraction = static_cast<int>(raw & 0x3ff);
      const float magnitude =
          exponent == 31  ? (fraction != 0 ? std::numeric_limits<float>::quiet_NaN()
                                           : std::numeric_limits<float>::infinity())
          : exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                          : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
      out[i] = (raw & 0x8000) != 0 ? -magnitude : magnitude;
    }
  }
  return out;
}

void compare(const matrices::Shape& shape, const matrices::Format& factor,
             const matrices::Format& sum, matrices::Kind kind) {
  constexpr int count = 20;
  const auto in = matrices::draw_operands("test", shape, factor, factor, sum, kind, count);
  const auto a = floats(in.a, factor), columns = floats(in.b, factor), c = floats(in.c, sum);
  FloatFormat format;
  format.half_sum = sum.bits == 16;
  format.least_exponent = 2 - (1 << (factor.exponent_bits - 1));
  format.least_sum_exponent = 2 - (1 << (sum.exponent_bits - 1));
  const MatrixShape size{static_cast<std::uint32_t>(shape.m), static_cast<std::uint32_t>(shape.n),
                         static_cast<std::uint32_t>(shape.k)};
  for (int i = 0; i < count; ++i) {
    const float *ai = &a[i * size.m * size.k], *bi = &columns[i * size.n * size.k],
                *ci = &c[i * size.m * size.n];
    std::vector<float> b(size.k * size.n), d(ci, ci + size.m * size.n);
    for (std::uint32_t column = 0; column < size.n; ++column)
      for (std::uint32_t k = 0; k < size.k; ++k) b[k * size.n + column] = bi[column * size.k + k];
    multiply_floats(size, size.k, format, ai, b.data(), d.data());
    for (std::uint32_t row = 0; row < size.m; ++row)
      for (std::uint32_t column = 0; column < size.n; ++column) {
        const float alone = fused_sum(format, size.k, ai + row * size.k, bi + column * size.k, 1,
                                      ci[row * size.n + column]);
        CAPTURE(factor.name, sum.name, matrices::kind_names[static_cast<int>(kind)], i, row,
                column);
        REQUIRE(std::bit_cast<std::uint32_t>(d[row * size.n + column]) ==
                std::bit_cast<std::uint32_t>(alone));
      }
  }
}

float sum_of(std::vector<float> a, std::vector<float> b, float c) {
  a.resize(16), b.resize(16);
  return fused_sum({}, 16, a.data(), b.data(), 1, c);
}

}  // namespace

TEST_CASE("The vectors of a tensor core add what one sum at a time does", "[simulator][matrix]") {
  for (int kind = 0; kind < matrices::kind_count; ++kind)
    for (const matrices::Shape& shape : {matrices::Shape{16, 8, 16},
                                         {16, 16, 16},
                                         {8, 32, 16},
                                         {32, 8, 16},
                                         {16, 8, 8},
                                         {16, 8, 4}}) {
      const auto how = static_cast<matrices::Kind>(kind);
      compare(shape, matrices::f16, matrices::f32, how);
      compare(shape, matrices::f16, matrices::f16, how);
      compare(shape, matrices::bf16, matrices::f32, how);
      compare(shape, matrices::tf32, matrices::f32, how);
    }
}

TEST_CASE("Sums that leave the range of 32 bits, or of floats, are those of one sum at a time",
          "[simulator][matrix]") {
  constexpr std::uint32_t m = 2, k = 16;
  const auto try_all = [](std::uint32_t n, float sign, bool half_sum) {
    for (const float addend : {0.f, 1.99f, 0x1.fffffep120f, 0x1.fffffep127f}) {
      if (half_sum && addend > 65504) continue;
      FloatFormat format{.least_exponent = -14};
      format.half_sum = half_sum;
      format.least_sum_exponent = half_sum ? -14 : -126;
      const float largest = addend > 2 ? 0x1.ffcp59f : 0x1.ffcp0f;
      const std::vector<float> a(m * k, sign * largest), b(n * k, largest);
      std::vector<float> c(m * n, sign * addend);
      multiply_floats({m, n, k}, k, format, a.data(), b.data(), c.data());
      const float alone = fused_sum(format, k, a.data(), b.data(), n, sign * addend);
      CAPTURE(n, sign, half_sum, addend);
      for (const float sum : c)
        CHECK(std::bit_cast<std::uint32_t>(sum) == std::bit_cast<std::uint32_t>(alone));
    }
  };
  for (const std::uint32_t n : {8u, 16u})  // vectors of eight, and of sixteen
    for (const float sign : {1.f, -1.f})
      for (const bool half_sum : {false, true}) try_all(n, sign, half_sum);
}

TEST_CASE(
    "A tensor core cuts each product off 25 places behind the largest, and the sum to a float",
    "[simulator][matrix]") {
  // The 25th place stays, the 26th does not, however many there are.
  CHECK(sum_of({1, 0x1p-12f, 0x1p-12f}, {1, 0x1p-13f, 0x1p-13f}, -1) == 0x1p-24f);
  CHECK(sum_of({1, 0x1p-13f, 0x1p-13f}, {1, 0x1p-13f, 0x1p-13f}, -1) == 0);
  CHECK(sum_of({1, -0x1p-13f}, {1, 0x1p-13f}, 0) == 1);
  // Toward zero: 2 - 2^-24 is no float, nor is its negative.
  CHECK(sum_of({1, 1, -0x1p-12f}, {1, 1, 0x1p-12f}, 0) == 2 - 0x1p-23f);
  CHECK(sum_of({-1, -1, 0x1p-12f}, {1, 1, 0x1p-12f}, 0) == -(2 - 0x1p-23f));
  // The largest exponent is that of the factors' sum, even where the product's is greater.
  CHECK(sum_of({1.5f, -1.5f, 0x1p-13f}, {1.5f, 1.5f, 0x1p-12f}, 0) == 0x1p-25f);
  // The sum counts too, and zeros don't.
  CHECK(sum_of({0x1p-13f}, {0x1p-13f}, 2) == 2);
  CHECK(sum_of({0, 0x1p-60f}, {0x1p60f, 0x1p-60f}, 0x1p-130f) == 0x1p-120f + 0x1p-130f);
}

TEST_CASE("A tensor core has one NaN, keeps infinities and overflows to them",
          "[simulator][matrix]") {
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(std::bit_cast<std::uint32_t>(sum_of({infinity}, {0}, 1)) == 0x7fffffff);
  CHECK(std::bit_cast<std::uint32_t>(sum_of({infinity, infinity}, {1, -1}, 1)) == 0x7fffffff);
  CHECK(sum_of({infinity}, {-1}, 1) == -infinity);
  CHECK(sum_of({0x1p64f}, {0x1p64f}, 0) == infinity);
  CHECK(sum_of({0x1p64f, -0x1p64f}, {0x1p64f, 0x1p64f}, 1) == 0);
}

}  // namespace tensor_core_tests
