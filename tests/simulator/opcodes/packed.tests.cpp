// Small integers and floats, two or four in a register, against the CPU and NVIDIA's own host code.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "simulator/opcodes/harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace packed_tests {
namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using i32 = std::int32_t;

std::vector<u32> words(std::size_t count, unsigned seed = 5) {
  std::vector<u32> out{0, 1, 31, 32, 33, 255, ~0u, 0x80000000, 0x7fff8000, 0x80007fff, 0xffff0001};
  std::mt19937 random(seed);
  while (out.size() < count) out.push_back(random() >> random() % 32);
  return out;
}

template <class F>
u32 by_halves(u32 a, u32 b, F&& f) {
  return u32{static_cast<u16>(f(static_cast<u16>(a >> 16), static_cast<u16>(b >> 16)))} << 16 |
         static_cast<u16>(f(static_cast<u16>(a), static_cast<u16>(b)));
}

std::vector<u16> every_half() {
  std::vector<u16> out(65536);
  for (u32 i = 0; i < out.size(); ++i) out[i] = static_cast<u16>(i);
  return out;
}

float half_value(u16 bits) { return __half2float(__half(__half_raw{bits})); }

/// NaNs are one: PTX names the one that is written.
u16 half_of(double x) { return x != x ? u16{0x7fff} : __half_raw(__double2half(x)).x; }

}  // namespace

TEST_CASE("Masks and fields of bits", "[simulator][opcode]") {
  const auto [a, b] = pairs(words(48));
  const auto mask = [](u32 position, u32 width, bool clamp) {
    u32 out = 0;
    if (!clamp) position &= 31, width &= 31;
    for (u32 bit = 0; bit < 32; ++bit) out |= u32{bit >= position && bit - position < width} << bit;
    return out;
  };
  check_opcode<u32>(
      "bmsk.clamp.b32 d, a, b;", [&](u32 p, u32 w) { return mask(p, w, true); }, a, b);
  check_opcode<u32>(
      "bmsk.wrap.b32 d, a, b;", [&](u32 p, u32 w) { return mask(p, w, false); }, a, b);
  check_opcode<u32>(
      "szext.clamp.u32 d, a, b;", [](u32 v, u32 w) { return w >= 32 ? v : v & ((1u << w) - 1); }, a,
      b);
  check_opcode<u32>(
      "szext.wrap.s32 d, a, b;",
      [](u32 v, u32 w) {
        w &= 31;
        return w == 0 ? 0 : static_cast<u32>(static_cast<i32>(v << (32 - w)) >> (32 - w));
      },
      a, b);
}

TEST_CASE("The n-th set bit is found in both directions", "[simulator][opcode]") {
  std::vector<u32> masks, bases;
  std::vector<i32> offsets;
  for (const u32 mask : words(24))
    for (const u32 base : {0u, 5u, 16u, 31u})
      for (const i32 offset : {0, 1, 2, 7, -1, -3, 40})
        masks.push_back(mask), bases.push_back(base), offsets.push_back(offset);
  check_opcode<u32>(
      "fns.b32 d, a, b, c;",
      [](u32 mask, u32 base, i32 offset) {
        std::vector<u32> set;
        if (offset == 0) return (mask >> base & 1) != 0 ? base : ~0u;
        for (i32 at = static_cast<i32>(base); at >= 0 && at<32; at += offset> 0 ? 1 : -1)
          if ((mask >> at & 1) != 0) set.push_back(static_cast<u32>(at));
        const auto n = static_cast<std::size_t>(std::abs(offset));
        return n <= set.size() ? set[n - 1] : ~0u;
      },
      masks, bases, offsets);
}

TEST_CASE("Pairs of 16-bit integers", "[simulator][opcode]") {
  const auto [a, b] = pairs(words(40));
  const auto s = [](u16 x) { return static_cast<std::int16_t>(x); };
  check_opcode<u32>(
      "add.u16x2 d, a, b;",
      [](u32 x, u32 y) { return by_halves(x, y, [](u16 p, u16 q) { return p + q; }); }, a, b);
  check_opcode<u32>(
      "max.s16x2 d, a, b;",
      [&](u32 x, u32 y) {
        return by_halves(x, y, [&](u16 p, u16 q) { return std::max(s(p), s(q)); });
      },
      a, b);
  check_opcode<u32>(
      "min.u16x2 d, a, b;",
      [](u32 x, u32 y) { return by_halves(x, y, [](u16 p, u16 q) { return std::min(p, q); }); }, a,
      b);
  check_opcode<u32>(
      "min.s16x2.relu d, a, b;",
      [&](u32 x, u32 y) {
        return by_halves(x, y,
                         [&](u16 p, u16 q) { return std::max<int>(0, std::min(s(p), s(q))); });
      },
      a, b);
}

TEST_CASE("Pairs of floats are added, multiplied and fused one by one", "[simulator][opcode]") {
  const auto of = [](float low, float high) {
    return std::uint64_t{std::bit_cast<u32>(high)} << 32 | std::bit_cast<u32>(low);
  };
  const std::vector<std::uint64_t> a{of(1.5f, -2.0f), of(0.1f, 3e38f), of(-0.0f, 7.0f)},
      b{of(0.3f, 5.0f), of(0.2f, 3e38f), of(0.0f, 0.1f)};
  const auto apart = [&](auto&& f) {
    return [&, f](std::uint64_t x, std::uint64_t y) {
      const auto part = [&](int shift) {
        return f(std::bit_cast<float>(static_cast<u32>(x >> shift)),
                 std::bit_cast<float>(static_cast<u32>(y >> shift)));
      };
      return of(part(0), part(32));
    };
  };
  check_opcode<std::uint64_t>("add.rn.f32x2 d, a, b;",
                              apart([](float x, float y) { return x + y; }), a, b);
  check_opcode<std::uint64_t>("mul.rn.f32x2 d, a, b;",
                              apart([](float x, float y) { return x * y; }), a, b);
  check_opcode<std::uint64_t>("fma.rn.f32x2 d, a, b, a;",
                              apart([](float x, float y) { return std::fma(x, y, x); }), a, b);
}

TEST_CASE("Absolute differences of bytes and halves, side by side and summed",
          "[simulator][opcode]") {
  const auto [a, b] = pairs(words(40));
  check_opcode<u32>(
      "vabsdiff4.u32.u32.u32 d, a, b, 0;",
      [](u32 x, u32 y) {
        u32 out = 0;
        for (int i = 0; i < 32; i += 8)
          out |= static_cast<u32>(
                     std::abs(static_cast<int>(x >> i & 255) - static_cast<int>(y >> i & 255)))
                 << i;
        return out;
      },
      a, b);
  check_opcode<u32>(
      "vabsdiff4.s32.s32.s32.add d, a, b, a;",
      [](u32 x, u32 y) {
        u32 sum = x;
        for (int i = 0; i < 32; i += 8)
          sum += static_cast<u32>(
              std::abs(static_cast<std::int8_t>(x >> i) - static_cast<std::int8_t>(y >> i)));
        return sum;
      },
      a, b);
  check_opcode<u32>(
      "vabsdiff2.u32.u32.u32.add d, a, b, 7;",
      [](u32 x, u32 y) {
        return 7 + static_cast<u32>(
                       std::abs(static_cast<int>(x & 0xffff) - static_cast<int>(y & 0xffff)) +
                       std::abs(static_cast<int>(x >> 16) - static_cast<int>(y >> 16)));
      },
      a, b);
}

TEST_CASE("Floats of 8 bits are those of NVIDIA's host code", "[simulator][opcode]") {
  std::vector<float> values;
  for (const u16 bits : every_half())
    if (bits % 7 == 0) values.push_back(half_value(bits));
  for (const float x : {448.f, 464.f, 465.f, 1e30f, -1e30f, 57344.f, 61440.f, 61441.f, INFINITY,
                        -INFINITY, 0x1p-10f, 0x1.8p-10f, 0x1p-17f, 0x1.0001p-17f})
    values.push_back(x);
  const auto convert = [](float high, float low, __nv_fp8_interpretation_t kind) {
    return static_cast<u16>(__nv_cvt_float_to_fp8(high, __NV_SATFINITE, kind) << 8 |
                            __nv_cvt_float_to_fp8(low, __NV_SATFINITE, kind));
  };
  std::vector<float> shifted(values.begin() + 1, values.end());
  values.pop_back();
  check_opcode<u16>(
      "cvt.rn.satfinite.e4m3x2.f32 d, a, b;",
      [&](float x, float y) { return convert(x, y, __NV_E4M3); }, values, shifted);
  check_opcode<u16>(
      "cvt.rn.satfinite.e5m2x2.f32 d, a, b;",
      [&](float x, float y) { return convert(x, y, __NV_E5M2); }, values, shifted);
  const auto halves = every_half();
  const auto back = [](u16 bytes, __nv_fp8_interpretation_t kind) {
    const auto part = [&](u32 byte) {
      const __half_raw raw = __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(byte), kind);
      return half_of(half_value(raw.x));
    };
    return u32{part(bytes >> 8)} << 16 | part(bytes & 255);
  };
  check_opcode<u32>(
      "cvt.rn.f16x2.e4m3x2 d, a;", [&](u16 x) { return back(x, __NV_E4M3); }, halves);
  check_opcode<u32>(
      "cvt.rn.f16x2.e5m2x2 d, a;", [&](u16 x) { return back(x, __NV_E5M2); }, halves);
}

TEST_CASE("Halves are rounded to integers and to other formats, in every direction",
          "[simulator][opcode]") {
  const auto halves = every_half();
  check_opcode<u16>(
      "cvt.rmi.f16.f16 d, a;", [](u16 x) { return half_of(std::floor(half_value(x))); }, halves);
  check_opcode<u16>(
      "cvt.rpi.f16.f16 d, a;", [](u16 x) { return half_of(std::ceil(half_value(x))); }, halves);
  check_opcode<u16>(
      "cvt.rni.f16.f16 d, a;", [](u16 x) { return half_of(std::nearbyint(half_value(x))); },
      halves);
  check_opcode<u16>(
      "cvt.rzi.bf16.bf16 d, a;",
      [](u16 x) {
        const float value = std::bit_cast<float>(u32{x} << 16);
        return value != value ? u16{0x7fff}
                              : static_cast<u16>(std::bit_cast<u32>(std::trunc(value)) >> 16);
      },
      halves);
  std::vector<float> values;
  std::mt19937 random(9);
  for (int i = 0; i < 4000; ++i)
    values.push_back(
        std::ldexp(static_cast<float>(random() >> 8) - 8e6f, static_cast<int>(random() % 60) - 50));
  check_opcode<u16>(
      "cvt.rm.f16.f32 d, a;", [](float x) { return __half_raw(__float2half_rd(x)).x; }, values);
  check_opcode<u16>(
      "cvt.rp.f16.f32 d, a;", [](float x) { return __half_raw(__float2half_ru(x)).x; }, values);
}

TEST_CASE("A comparison writes its truth in the type it names", "[simulator][opcode]") {
  const auto halves = every_half();
  auto others = halves;
  std::shuffle(others.begin(), others.end(), std::mt19937(4));
  check_opcode<u16>(
      "set.eq.f16.f16 d, a, a;",
      [](u16 x) { return half_value(x) == half_value(x) ? u16{0x3c00} : u16{0}; }, halves);
  check_opcode<u16>(
      "set.lt.u16.f16 d, a, b;",
      [](u16 x, u16 y) { return half_value(x) < half_value(y) ? u16{0xffff} : u16{0}; }, halves,
      others);
  check_opcode<u32>(
      "setp.lt.u16 p, a, b;\nset.gt.and.u32.s16 d, a, b, p;",
      [](u16 x, u16 y) {
        return x<y&& static_cast<std::int16_t>(x)> static_cast<std::int16_t>(y) ? ~0u : 0u;
      },
      halves, others);
}

TEST_CASE("A bfloat16 product and sum is rounded once", "[simulator][opcode]") {
  // 1.0078125 * 1.00390625... lies halfway between two bfloat16; what is added decides.
  const std::vector<u16> a{0x3f81, 0x3f81, 0x3f81}, b{0x3f01, 0x3f01, 0x3f40},
      c{0x0080, 0x8080, 0x0080};
  check_opcode<u16>(
      "fma.rn.bf16 d, a, b, c;",
      [](u16 x, u16 y, u16 z) {
        const auto value = [](u16 bits) -> long double {
          return std::bit_cast<float>(u32{bits} << 16);
        };
        const long double exact = value(x) * value(y);
        const auto down = static_cast<u16>(std::bit_cast<u32>(static_cast<float>(exact)) >> 16);
        const long double rest = exact - value(down), half = (value(down + 1) - value(down)) / 2;
        const bool up = rest > half || (rest == half && (value(z) > 0));
        return static_cast<u16>(down + up);
      },
      a, b, c);
}

TEST_CASE("Integers are cut off at a narrower type's bounds and packed", "[simulator][opcode]") {
  std::vector<i32> a, b;
  std::vector<u32> c;
  for (const i32 x : {0, 1, -1, 7, -8, 8, -9, 127, -128, 128, -129, 255, 256, 32767, -32768, 65535,
                      65536, INT32_MAX, INT32_MIN})
    for (const i32 y : {0, 5, -3, 200, -70000, 70000})
      a.push_back(x), b.push_back(y),
          c.push_back(0x12345678u + 77u * static_cast<u32>(x) + static_cast<u32>(y));
  const auto cut = [](i32 x, i32 least, i32 most) {
    return static_cast<u32>(std::clamp(x, least, most));
  };
  check_opcode<u32>(
      "cvt.pack.sat.s16.s32 d, a, b;",
      [&](i32 x, i32 y) { return cut(x, -32768, 32767) << 16 | (cut(y, -32768, 32767) & 0xffff); },
      a, b);
  check_opcode<u32>(
      "cvt.pack.sat.u16.s32 d, a, b;",
      [&](i32 x, i32 y) { return cut(x, 0, 65535) << 16 | cut(y, 0, 65535); }, a, b);
  check_opcode<u32>(
      "cvt.pack.sat.s8.s32.b32 d, a, b, c;",
      [&](i32 x, i32 y, u32 z) {
        return z << 16 | (cut(x, -128, 127) & 0xff) << 8 | (cut(y, -128, 127) & 0xff);
      },
      a, b, c);
  check_opcode<u32>(
      "cvt.pack.sat.u4.s32.b32 d, a, b, c;",
      [&](i32 x, i32 y, u32 z) { return z << 8 | cut(x, 0, 15) << 4 | cut(y, 0, 15); }, a, b, c);
}

}  // namespace packed_tests
