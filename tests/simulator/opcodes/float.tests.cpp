// Floating-point opcodes against the CPU: rounding modes, NaN, subnormal numbers, saturation.
#include <cfenv>
#include <cmath>
#include <limits>

#include "simulator/opcodes/harness.hpp"

using namespace klab::sim::test;

namespace float_tests {
namespace {

template <class T>
std::vector<T> samples() {
  using L = std::numeric_limits<T>;
  std::vector<T> out{0,
                     -T(0),
                     1,
                     -1,
                     T(0.5),
                     T(1.5),
                     T(2.5),
                     -T(2.5),
                     3,
                     L::min(),
                     -L::min(),
                     L::denorm_min(),
                     -L::denorm_min(),
                     L::min() / 2,
                     L::max(),
                     -L::max(),
                     L::infinity(),
                     -L::infinity(),
                     L::quiet_NaN(),
                     L::epsilon(),
                     T(1) + L::epsilon(),
                     T(1) / 3,
                     T(0.1),
                     T(1e10),
                     T(-12345.678),
                     T(2147483648.0),
                     T(4294967295.0),
                     T(-2147483649.0),
                     T(9.3e18)};
  std::uint64_t state = 99;
  for (int i = 0; i < 8; ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    out.push_back(T(static_cast<double>(static_cast<std::int64_t>(state)) * 1e-17));
  }
  return out;
}

// Evaluates under a rounding mode; volatile keeps the compiler from moving or folding the
// operation.
template <class T, class F>
T rounded(int mode, F f, T a, T b, T c = T(0)) {
  volatile T x = a, y = b, z = c;
  std::fesetround(mode);
  volatile T out = f(x, y, z);
  std::fesetround(FE_TONEAREST);
  return out;
}

struct Mode {
  const char* name;
  int mode;
};
constexpr Mode modes[] = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

template <class T>
void check_arithmetic(const char* type) {
  const auto [a, b] = pairs(samples<T>());
  std::vector<T> c = a;
  std::reverse(c.begin(), c.end());
  for (const auto& [name, mode] : modes) {
    const auto op = [&, name = name](const char* opcode, const char* operands) {
      return fmt::format("{}.{}.{} {};", opcode, name, type, operands);
    };
    check_opcode<T>(
        op("add", "d, a, b"),
        [mode = mode](T x, T y) {
          return rounded<T>(
              mode, [](T p, T q, T) { return p + q; }, x, y);
        },
        a, b);
    check_opcode<T>(
        op("sub", "d, a, b"),
        [mode = mode](T x, T y) {
          return rounded<T>(
              mode, [](T p, T q, T) { return p - q; }, x, y);
        },
        a, b);
    check_opcode<T>(
        op("mul", "d, a, b"),
        [mode = mode](T x, T y) {
          return rounded<T>(
              mode, [](T p, T q, T) { return p * q; }, x, y);
        },
        a, b);
    check_opcode<T>(
        op("div", "d, a, b"),
        [mode = mode](T x, T y) {
          return rounded<T>(
              mode, [](T p, T q, T) { return p / q; }, x, y);
        },
        a, b);
    check_opcode<T>(
        op("fma", "d, a, b, c"),
        [mode = mode](T x, T y, T z) {
          return rounded<T>(
              mode, [](T p, T q, T r) { return std::fma(p, q, r); }, x, y, z);
        },
        a, b, c);
    check_opcode<T>(
        op("sqrt", "d, a"),
        [mode = mode](T x) {
          return rounded<T>(
              mode, [](T p, T, T) { return std::sqrt(p); }, x, x);
        },
        a);
    check_opcode<T>(
        op("rcp", "d, a"),
        [mode = mode](T x) {
          return rounded<T>(
              mode, [](T p, T, T) { return T(1) / p; }, x, x);
        },
        a);
  }
}

template <class T>
T least(T x, T y) {
  if (x != x) return y;
  if (y != y) return x;
  if (x == y) return std::signbit(x) ? x : y;
  return x < y ? x : y;
}

float flushed(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.f, x) : x; }

}  // namespace

TEST_CASE("Single-precision arithmetic rounds in all four modes", "[simulator][opcode]") {
  check_arithmetic<float>("f32");
}
TEST_CASE("Double-precision arithmetic rounds in all four modes", "[simulator][opcode]") {
  check_arithmetic<double>("f64");
}

TEST_CASE("Minimum and maximum prefer numbers to NaN and order zeros", "[simulator][opcode]") {
  const auto [a, b] = pairs(samples<float>());
  check_opcode<float>(
      "min.f32 d, a, b;", [](float x, float y) { return least(x, y); }, a, b);
  check_opcode<float>(
      "max.f32 d, a, b;", [](float x, float y) { return -least(-x, -y); }, a, b);
  check_opcode<float>(
      "min.NaN.f32 d, a, b;", [](float x, float y) { return x != x || y != y ? NAN : least(x, y); },
      a, b);
  const auto [p, q] = pairs(samples<double>());
  check_opcode<double>(
      "min.f64 d, a, b;", [](double x, double y) { return least(x, y); }, p, q);
}

TEST_CASE("Single-precision arithmetic answers NaN with the canonical one", "[simulator][opcode]") {
  auto values = samples<float>();
  for (const std::uint32_t nan : {0x7f800001u, 0xffc12345u, 0xffffffffu, 0x7fc00000u})
    values.push_back(std::bit_cast<float>(nan));
  const auto canonical = [](float x) { return x == x ? bits(x) : 0x7fffffffu; };
  const auto [a, b] = pairs(values);
  check_opcode<std::uint32_t>(
      "add.f32 d, a, b;", [&](float x, float y) { return canonical(x + y); }, a, b);
  check_opcode<std::uint32_t>(
      "fma.rn.f32 d, a, b, a;", [&](float x, float y) { return canonical(std::fma(x, y, x)); }, a,
      b);
  check_opcode<std::uint32_t>(
      "div.rn.f32 d, a, b;", [&](float x, float y) { return canonical(x / y); }, a, b);
  check_opcode<std::uint32_t>(
      "sqrt.rn.f32 d, a;", [&](float x) { return canonical(std::sqrt(x)); }, values);
  check_opcode<std::uint32_t>(
      "cvt.f32.f16 d, a;",
      [&](std::uint16_t h) { return (h & 0x3ff) != 0 ? 0x7fffffffu : h >> 15 << 31 | 0x7f800000u; },
      std::vector<std::uint16_t>{0x7e00, 0xfc01, 0x7c00, 0xfc00, 0x7fff});
}

TEST_CASE("Double-precision arithmetic keeps the payload of a NaN, quieted",
          "[simulator][opcode]") {
  std::vector<double> nans, numbers;
  for (const std::uint64_t nan : {0x7ff8'0000'0000'0000u, 0x7ff0'0000'0000'0001u,
                                  0x7ff4'1234'5678'9abcu, 0xfff8'0000'dead'beefu})
    for (const double number : {1.5, -0.0, 1e308}) {
      nans.push_back(std::bit_cast<double>(std::uint64_t{nan}));
      numbers.push_back(number);
    }
  const auto quieted = [](double nan) { return bits(nan) | 0x8'0000'0000'0000u; };
  const auto first = [&](double nan, auto...) { return quieted(nan); };
  const auto second = [&](double, double nan) { return quieted(nan); };
  for (const char* body :
       {"add.f64 d, a, b;", "sub.f64 d, a, b;", "mul.f64 d, a, b;", "div.rn.f64 d, a, b;",
        "fma.rn.f64 d, a, b, b;", "fma.rn.f64 d, b, a, b;", "fma.rn.f64 d, b, b, a;",
        "add.rz.f64 d, a, b;"})
    check_opcode<std::uint64_t>(body, first, nans, numbers);
  for (const char* body :
       {"add.f64 d, a, b;", "sub.f64 d, a, b;", "mul.f64 d, a, b;", "div.rn.f64 d, a, b;"})
    check_opcode<std::uint64_t>(body, second, numbers, nans);
  for (const char* body : {"sqrt.rn.f64 d, a;", "rcp.rn.f64 d, a;", "rsqrt.approx.f64 d, a;"})
    check_opcode<std::uint64_t>(body, first, nans);
}

TEST_CASE("Gross reciprocals of doubles have 20 bits and flush subnormal numbers",
          "[simulator][opcode]") {
  const std::vector<double> values = {1,      3,       -7.25, 1e-300,   1e300,
                                      1e-310, -1e-310, 0.0,   INFINITY, NAN};
  const auto near = [](double x) {
    const std::uint64_t nearest = bits(x) + 0x8000'0000;
    return x != x ? 0x7fff'ffff'0000'0000 : nearest & 0xffff'ffff'0000'0000;
  };
  const auto flushed_upper = [](double x) {
    return std::fpclassify(x) == FP_SUBNORMAL
               ? std::copysign(0.0, x)
               : std::bit_cast<double>(bits(x) & 0xffff'ffff'0000'0000);
  };
  check_opcode<std::uint64_t>(
      "rcp.approx.ftz.f64 d, a;", [&](double x) { return near(1 / flushed_upper(x)); }, values);
  check_opcode<std::uint64_t>(
      "rsqrt.approx.ftz.f64 d, a;", [&](double x) { return near(1 / std::sqrt(flushed_upper(x))); },
      values);
}

TEST_CASE("Signs are changed without touching the rest", "[simulator][opcode]") {
  const auto a = samples<float>();
  check_opcode<std::uint32_t>(
      "neg.f32 d, a;", [](float x) { return bits(x) ^ 0x80000000; }, a);
  check_opcode<std::uint32_t>(
      "abs.f32 d, a;", [](float x) { return bits(x) & 0x7fffffff; }, a);
  const auto [p, q] = pairs(a);
  check_opcode<std::uint32_t>(
      "copysign.f32 d, a, b;",
      [](float x, float y) { return (bits(x) & 0x80000000) | (bits(y) & 0x7fffffff); }, p, q);
}

TEST_CASE("Flushing replaces subnormal operands and results by zeros", "[simulator][opcode]") {
  const auto [a, b] = pairs(samples<float>());
  check_opcode<float>(
      "add.ftz.f32 d, a, b;", [](float x, float y) { return flushed(flushed(x) + flushed(y)); }, a,
      b);
  check_opcode<float>(
      "mul.ftz.f32 d, a, b;", [](float x, float y) { return flushed(flushed(x) * flushed(y)); }, a,
      b);
}

TEST_CASE("Saturation clamps to 0 and 1 and turns NaN into 0", "[simulator][opcode]") {
  const auto [a, b] = pairs(samples<float>());
  check_opcode<float>(
      "add.sat.f32 d, a, b;",
      [](float x, float y) {
        const float s = x + y;
        return s > 0 ? std::min(s, 1.f) : 0.f;
      },
      a, b);
}

TEST_CASE("tf32 keeps ten fraction bits, rounded as the name says", "[simulator][opcode]") {
  // Values, and what an H100 makes of them.
  const std::vector<float> values{-1.0f, 0x1.008p+0f, 0x1.00bp+0f, 0x1.004p+0f, INFINITY};
  const auto check = [&](const char* opcode, const std::vector<float>& want) {
    std::size_t at = 0;
    for (const float value : values) {
      const float one = want[at++];
      check_opcode<float>(
          fmt::format("{} d, a;", opcode), [one](float) { return one; }, std::vector<float>{value});
    }
  };
  check("cvt.rn.tf32.f32", {-1, 0x1.008p+0f, 0x1.00cp+0f, 0x1.004p+0f, INFINITY});
  check("cvt.rz.tf32.f32", {-1, 0x1.008p+0f, 0x1.008p+0f, 0x1.004p+0f, INFINITY});
  check("cvt.rn.relu.tf32.f32", {0, 0x1.008p+0f, 0x1.00cp+0f, 0x1.004p+0f, INFINITY});
  check("cvt.rz.relu.tf32.f32", {0, 0x1.008p+0f, 0x1.008p+0f, 0x1.004p+0f, INFINITY});
  const std::vector<std::uint32_t> nans{0x7f800001, 0xffc00000};
  for (const char* opcode : {"cvt.rn.tf32.f32", "cvt.rz.tf32.f32", "cvt.rz.relu.tf32.f32"})
    check_opcode<std::uint32_t>(
        fmt::format("{} d, a;", opcode), [](std::uint32_t) { return 0x7fffe000u; }, nans);
  check_opcode<std::uint32_t>(
      "cvt.rna.tf32.f32 d, a;", [](std::uint32_t bits) { return bits & ~0x1fffu; }, nans);
}

TEST_CASE("Comparisons of floats treat NaN as ordered or unordered by name",
          "[simulator][opcode]") {
  const auto [a, b] = pairs(samples<float>());
  const auto flag = [](const char* compare) {
    return fmt::format("setp.{}.f32 p, a, b;\nselp.u32 d, 1, 0, p;", compare);
  };
  using u32 = std::uint32_t;
  check_opcode<u32>(
      flag("lt"), [](float x, float y) { return u32{x < y}; }, a, b);
  check_opcode<u32>(
      flag("ltu"), [](float x, float y) { return u32{!(x >= y)}; }, a, b);
  check_opcode<u32>(
      flag("ge"), [](float x, float y) { return u32{x >= y}; }, a, b);
  check_opcode<u32>(
      flag("geu"), [](float x, float y) { return u32{!(x < y)}; }, a, b);
  check_opcode<u32>(
      flag("eq"), [](float x, float y) { return u32{x == y}; }, a, b);
  check_opcode<u32>(
      flag("ne"), [](float x, float y) { return u32{x < y || x > y}; }, a, b);
  check_opcode<u32>(
      flag("neu"), [](float x, float y) { return u32{x != y}; }, a, b);
  check_opcode<u32>(
      flag("num"), [](float x, float y) { return u32{x == x && y == y}; }, a, b);
  check_opcode<u32>(
      flag("nan"), [](float x, float y) { return u32{x != x || y != y}; }, a, b);
}

TEST_CASE("Approximations are within the error that PTX states", "[simulator][opcode]") {
  std::vector<float> a;
  for (int i = -2000; i <= 2000; ++i) a.push_back(static_cast<float>(i) * 0.0631f);
  const auto within = [&](const char* body, auto exact, double relative, double absolute) {
    CAPTURE(body);
    Loaded device(opcode_kernel<float, float>(body, false));
    const auto in = device.upload(a), out = device.zeros<float>(a.size());
    device.run("opcode", {100}, {64},
               arguments(in, in, in, out, static_cast<std::uint32_t>(a.size())));
    const auto got = device.download<float>(out, a.size());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double want = exact(static_cast<double>(a[i]));
      if (want != want || std::abs(want) > 3e38 || std::abs(want) < 1e-38) continue;
      wrong += std::abs(got[i] - want) > relative * std::abs(want) + absolute;
    }
    CHECK(wrong == 0);
  };
  within(
      "ex2.approx.f32 d, a;", [](double x) { return std::exp2(x); }, 1.19e-7, 0);
  within(
      "lg2.approx.f32 d, a;", [](double x) { return std::log2(x); }, 3e-7, 3e-7);
  within(
      "sin.approx.f32 d, a;", [](double x) { return std::sin(x); }, 0, 1e-6);
  within(
      "rsqrt.approx.f32 d, a;", [](double x) { return 1 / std::sqrt(x); }, 2e-7, 0);
  within(
      "tanh.approx.f32 d, a;", [](double x) { return std::tanh(x); }, 1e-3, 0);
}

TEST_CASE("Floats become integers by truncation, clamped, NaN by the rule of the width",
          "[simulator][opcode]") {
  const auto f = samples<float>();
  const auto d = samples<double>();
  const auto to = [](auto limits, double x, auto nan) {
    using T = decltype(nan);
    using L = decltype(limits);
    if (x != x) return nan;
    const long double v = x;
    return v < L::min()                             ? L::min()
           : v > static_cast<long double>(L::max()) ? L::max()
                                                    : static_cast<T>(x);
  };
  using I = std::numeric_limits<std::int32_t>;
  using U = std::numeric_limits<std::uint32_t>;
  using L = std::numeric_limits<std::int64_t>;
  check_opcode<std::int32_t>(
      "cvt.rzi.s32.f32 d, a;", [&](float x) { return to(I{}, std::trunc(x), std::int32_t{0}); }, f);
  check_opcode<std::int32_t>(
      "cvt.rni.s32.f32 d, a;", [&](float x) { return to(I{}, std::nearbyint(x), std::int32_t{0}); },
      f);
  check_opcode<std::int32_t>(
      "cvt.rmi.s32.f32 d, a;", [&](float x) { return to(I{}, std::floor(x), std::int32_t{0}); }, f);
  check_opcode<std::uint32_t>(
      "cvt.rzi.u32.f32 d, a;", [&](float x) { return to(U{}, std::trunc(x), std::uint32_t{0}); },
      f);
  check_opcode<std::int64_t>(
      "cvt.rzi.s64.f32 d, a;", [&](float x) { return to(L{}, std::trunc(x), L::min()); }, f);
  check_opcode<std::int32_t>(
      "cvt.rzi.s32.f64 d, a;", [&](double x) { return to(I{}, std::trunc(x), I::min()); }, d);
}

TEST_CASE("Integers become floats in all four modes", "[simulator][opcode]") {
  const std::vector<std::int32_t> i{
      0, 1, -1, 16777217, -16777217, 2147483647, -2147483647 - 1, 123456789};
  const std::vector<std::uint64_t> w{
      0, 1, 16777217, ~0ull, 1ull << 63, 0x8000010000000001ull, 9007199254740993ull};
  for (const auto& [name, mode] : modes) {
    const auto round = [mode = mode](auto x) {
      volatile auto value = x;
      std::fesetround(mode);
      volatile float out = static_cast<float>(value);
      std::fesetround(FE_TONEAREST);
      return float(out);
    };
    check_opcode<float>(
        fmt::format("cvt.{}.f32.s32 d, a;", name), [&](std::int32_t x) { return round(x); }, i);
    if (mode == FE_TONEAREST)
      check_opcode<float>(
          "cvt.rn.f32.u64 d, a;", [&](std::uint64_t x) { return static_cast<float>(x); }, w);
    check_opcode<float>(
        fmt::format("cvt.{}.f32.f64 d, a;", name), [&](double x) { return round(x); },
        samples<double>());
  }
  check_opcode<float>(
      "cvt.rni.f32.f32 d, a;", [](float x) { return std::nearbyint(x); }, samples<float>());
  check_opcode<float>(
      "cvt.rmi.f32.f32 d, a;", [](float x) { return std::floor(x); }, samples<float>());
  check_opcode<float>(
      "cvt.sat.f32.f32 d, a;", [](float x) { return x > 0 ? std::min(x, 1.f) : 0.f; },
      samples<float>());
}

TEST_CASE("Narrow integers are extended by their own sign, and saturate when asked",
          "[simulator][opcode]") {
  const std::vector<std::int32_t> a{0, 1, -1, 127, 128, 255, 256, -129, 65535, 100000, -100000};
  check_opcode<std::int32_t>(
      "cvt.s32.s8 d, a;", [](std::int32_t x) { return std::int32_t{static_cast<std::int8_t>(x)}; },
      a);
  check_opcode<std::uint32_t>(
      "cvt.u32.u8 d, a;",
      [](std::int32_t x) { return std::uint32_t{static_cast<std::uint8_t>(x)}; }, a);
  check_opcode<std::int32_t>(
      "cvt.sat.s8.s32 d, a;", [](std::int32_t x) { return std::clamp(x, -128, 127); }, a);
  check_opcode<std::int32_t>(
      "cvt.sat.u8.s32 d, a;", [](std::int32_t x) { return std::clamp(x, 0, 255); }, a);
  check_opcode<std::int64_t>(
      "cvt.s64.s32 d, a;", [](std::int32_t x) { return std::int64_t{x}; }, a);
  check_opcode<std::uint16_t>(
      "cvt.u16.u32 d, a;", [](std::int32_t x) { return static_cast<std::uint16_t>(x); }, a);
}

}  // namespace float_tests
