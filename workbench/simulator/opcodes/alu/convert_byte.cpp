// Conversions to and from the floating-point formats of 8 bits, two at a time.
#include <array>
#include <cmath>

#include "simulator/opcodes/float_functions.hpp"
#include "simulator/opcodes/lanes.hpp"

namespace klab::sim {

namespace {

// E5M2 is the upper byte of a half. E4M3 has no infinities; its largest number is 448.
struct E5m2 {
  static constexpr int fraction_bits = 2, bias = 15, most = 0x7b;
  static double value(u8 bits) { return Half{static_cast<u16>(bits << 8)}.value(); }
};
struct E4m3 {
  static constexpr int fraction_bits = 3, bias = 7, most = 0x7e;
  static double value(u8 bits) {
    const int magnitude = bits & 0x7f;
    if (magnitude == 0x7f) return std::numeric_limits<double>::quiet_NaN();
    const int exponent = magnitude >> 3, fraction = magnitude & 7;
    const double x = exponent == 0 ? std::ldexp(fraction, -9)
                                   : std::ldexp(fraction + 8, exponent - bias - fraction_bits);
    return (bits & 0x80) != 0 ? -x : x;
  }
};

// To nearest even, no further than the largest number (.satfinite).
template <class S, bool Relu>
u8 to_byte(double x) {
  if (x != x) return 0x7f;
  if (Relu && x < 0) return 0;
  const u8 sign = std::signbit(x) ? 0x80 : 0;
  const double magnitude = std::min(std::abs(x), 1e6);
  if (magnitude == 0) return sign;
  const int least = 1 - S::bias, exponent = std::max(std::ilogb(magnitude), least);
  const auto kept =
      static_cast<int>(std::nearbyint(std::ldexp(magnitude, S::fraction_bits - exponent)));
  const int bits = ((exponent - least) << S::fraction_bits) + kept;
  return static_cast<u8>(sign | std::min(bits, S::most));
}

template <class S, bool Relu>
struct FromFloats {
  static constexpr bool per_lane = true;
  u16 operator()(float high, float low) const {
    return static_cast<u16>(to_byte<S, Relu>(high) << 8 | to_byte<S, Relu>(low));
  }
};
template <class S, bool Relu>
struct FromHalves {
  static constexpr bool per_lane = true;
  u16 operator()(u32 halves) const {
    return static_cast<u16>(to_byte<S, Relu>(Half{static_cast<u16>(halves >> 16)}.value()) << 8 |
                            to_byte<S, Relu>(Half{static_cast<u16>(halves)}.value()));
  }
};
template <class S, bool Relu>
struct ToHalves {
  static constexpr bool per_lane = true;
  static u16 half(u8 bits) {
    const double x = S::value(bits);
    return Relu && x < 0 ? u16{0} : Half::round(x).bits;
  }
  u32 operator()(u16 bytes) const {
    return u32{half(static_cast<u8>(bytes >> 8))} << 16 | half(static_cast<u8>(bytes));
  }
};

template <class S, bool Relu>
bool bind(Encoder& e, std::string_view name) {
  const auto& parts = e.in.parts;
  if (parts.back() == name)  // cvt.rn.f16x2.e4m3x2
    return e.has("f16x2") && e.operands() == 2 && emit<ToHalves<S, Relu>, u32, u16>(e);
  if (!e.has("satfinite")) return false;
  if (parts.back() == "f16x2") return e.operands() == 2 && emit<FromHalves<S, Relu>, u16, u32>(e);
  return parts.back() == "f32" && e.operands() == 3 &&
         emit<FromFloats<S, Relu>, u16, float, float>(e);
}

bool select_cvt(Encoder& e) {
  const bool relu = e.has("relu");
  if (e.has("e4m3x2")) return relu ? bind<E4m3, true>(e, "e4m3x2") : bind<E4m3, false>(e, "e4m3x2");
  if (e.has("e5m2x2")) return relu ? bind<E5m2, true>(e, "e5m2x2") : bind<E5m2, false>(e, "e5m2x2");
  return false;
}

constexpr std::array<Opcode, 1> table{{
    {"cvt", select_cvt, ".e4m3x2 .e5m2x2 from two .f32 and from .f16x2, to .f16x2, .relu"},
}};

}  // namespace

std::span<const Opcode> convert_byte_opcodes() { return table; }

}  // namespace klab::sim
