// The host's side of more_arithmetic.cuh.
#pragma once

// ---- fields, bytes, shifts ----

BOTH u64 field(u64 a, u32 at, u32 count) {
  at &= 255, count &= 255;
  u64 out = 0;
  for (u32 i = 0; i < count && i < 64 && at + i < 64; ++i) out |= (a >> (at + i) & 1) << i;
  return out;
}
BOTH u32 field(u32 a, u32 at, u32 count) { return static_cast<u32>(field(u64{a}, at, count)); }
template <class T>
BOTH T field_with_sign(T a, u32 at, u32 count) {
  constexpr u32 top = 8 * sizeof(T) - 1;
  at &= 255, count &= 255;
  const u32 last = at + count - 1 < top ? at + count - 1 : top;
  const T sign = count == 0 ? 0 : a >> last & 1;
  T out = 0;
  for (u32 i = 0; i <= top; ++i)
    out |= (i < count && at + i <= top ? a >> (at + i) & 1 : sign) << i;
  return out;
}
BOTH u32 signed_field(u32 a, u32 at, u32 count) { return field_with_sign(a, at, count); }
BOTH u64 signed_field(u64 a, u32 at, u32 count) { return field_with_sign(a, at, count); }
template <class T>
BOTH T field_put(T a, T b, u32 at, u32 count) {
  constexpr u32 top = 8 * sizeof(T) - 1;
  at &= 255, count &= 255;
  for (u32 i = 0; i < count && at + i <= top; ++i)
    b = (b & ~(T{1} << (at + i))) | (a >> i & 1) << (at + i);
  return b;
}
BOTH u32 inserted(u32 a, u32 b, u32 at, u32 count) { return field_put(a, b, at, count); }
BOTH u64 inserted(u64 a, u64 b, u32 at, u32 count) { return field_put(a, b, at, count); }
template <u32 Table>
BOTH u32 logic(u32 a, u32 b, u32 c) {
  u32 out = 0;
  for (u32 i = 0; i < 32; ++i)
    out |= (Table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
  return out;
}
/// The bytes of b and a that `which` gives for each place.
template <class Which>
BOTH u32 bytes_by(u32 a, u32 b, Which which) {
  const u64 both = u64{b} << 32 | a;
  u32 out = 0;
  for (u32 i = 0; i < 4; ++i) {
    const u32 at = which(i);
    u32 byte = static_cast<u32>(both >> (8 * (at & 7))) & 255;
    if (at & 8) byte = byte & 128 ? 255 : 0;
    out |= byte << (8 * i);
  }
  return out;
}
BOTH u32 bytes_of(u32 a, u32 b, u32 c) {
  return bytes_by(a, b, [=](u32 i) { return c >> (4 * i) & 15; });
}
BOTH u32 bytes_forward(u32 a, u32 b, u32 c) {
  return bytes_by(a, b, [=](u32 i) { return (c & 3) + i; });
}
BOTH u32 bytes_backward(u32 a, u32 b, u32 c) {
  return bytes_by(a, b, [=](u32 i) { return ((c & 3) - i) & 7; });
}
BOTH u32 byte_everywhere(u32 a, u32 b, u32 c) {
  return bytes_by(a, b, [=](u32) { return c & 3; });
}
BOTH u32 half_everywhere(u32 a, u32 b, u32 c) {
  return bytes_by(a, b, [=](u32 i) { return (c & 1) * 2 + (i & 1); });
}
BOTH u32 edge_left(u32 a, u32 b, u32 c) {
  return bytes_by(a, b, [=](u32 i) { return i > (c & 3) ? i : c & 3; });
}
BOTH u32 edge_right(u32 a, u32 b, u32 c) {
  return bytes_by(a, b, [=](u32 i) { return i < (c & 3) ? i : c & 3; });
}
BOTH u32 funnel_right(u32 a, u32 b, u32 by) {
  return static_cast<u32>((u64{b} << 32 | a) >> (by & 31));
}
BOTH u32 funnel_right_clamped(u32 a, u32 b, u32 by) {
  return static_cast<u32>((u64{b} << 32 | a) >> (by < 32 ? by : 32));
}
BOTH u32 funnel_left_clamped(u32 a, u32 b, u32 by) {
  return by >= 32 ? a : static_cast<u32>((u64{b} << 32 | a) << by >> 32);
}
BOTH u32 mask(u32 at, u32 count) {
  u32 out = 0;
  for (u32 i = 0; i < 32; ++i)
    if (i >= at && i - at < count) out |= 1u << i;
  return out;
}
BOTH u32 mask_wrapped(u32 at, u32 count) { return mask(at & 31, count & 31); }
BOTH u32 nth_one(u32 bits, u32 base, u32 offset) {
  const i32 n = static_cast<i32>(offset);
  if (n == 0) return base < 32 && (bits >> base & 1) ? base : ~0u;
  i32 left = n > 0 ? n : n == INT32_MIN ? INT32_MAX : -n;
  for (i64 at = base; at >= 0 && at<32; at += n> 0 ? 1 : -1)
    if ((bits >> at & 1) && --left == 0) return static_cast<u32>(at);
  return ~0u;
}
BOTH u32 leading(u64 a) { return a == 0 ? ~0u : 63 - static_cast<u32>(__builtin_clzll(a)); }
BOTH u32 leading(u32 a) { return leading(u64{a}); }
BOTH u32 signed_leading(u32 a) {
  const u32 x = static_cast<i32>(a) < 0 ? ~a : a;
  return x == 0 ? ~0u : static_cast<u32>(__builtin_clz(x));
}
BOTH u32 ones(u64 a) { return static_cast<u32>(__builtin_popcountll(a)); }
BOTH u32 zeros(u64 a) { return a == 0 ? 64 : static_cast<u32>(__builtin_clzll(a)); }
BOTH u64 mirrored(u64 a) {
  return u64{mirrored(static_cast<u32>(a))} << 32 | mirrored(static_cast<u32>(a >> 32));
}

// ---- sums and products of whole numbers ----

template <class A, class B>
BOTH u32 bytes_dot(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 32; i += 8)
    c += static_cast<u32>(static_cast<i32>(static_cast<A>(a >> i)) * static_cast<B>(b >> i));
  return c;
}
BOTH u32 dot_unsigned(u32 a, u32 b, u32 c) { return bytes_dot<u8, u8>(a, b, c); }
BOTH u32 dot_mixed(u32 a, u32 b, u32 c) { return bytes_dot<i8, u8>(a, b, c); }
BOTH u32 pair_dot_low(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 2; ++i)
    c += static_cast<u32>(static_cast<i16>(a >> (16 * i)) * static_cast<i8>(b >> (8 * i)));
  return c;
}
BOTH u32 pair_dot_high(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 2; ++i)
    c += static_cast<u32>(static_cast<u16>(a >> (16 * i)) * static_cast<i8>(b >> (16 + 8 * i)));
  return c;
}
BOTH u32 signed_distance(u32 a, u32 b, u32 c) {
  return (static_cast<i32>(a) < static_cast<i32>(b) ? b - a : a - b) + c;
}
BOTH u32 chosen(u32 a, u32 b, u32 c) { return static_cast<i32>(c) >= 0 ? a : b; }
BOTH u32 clamped(i64 x) {
  return static_cast<u32>(x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x);
}
BOTH u32 sum_saturated(u32 a, u32 b) {
  return clamped(i64{static_cast<i32>(a)} + static_cast<i32>(b));
}
BOTH u32 difference_saturated(u32 a, u32 b) {
  return clamped(i64{static_cast<i32>(a)} - static_cast<i32>(b));
}
BOTH u32 signed_high_product(u32 a, u32 b) {
  return static_cast<u32>(i64{static_cast<i32>(a)} * static_cast<i32>(b) >> 32);
}
BOTH u64 signed_high_product(u64 a, u64 b) {
  return static_cast<u64>(SignedWide{static_cast<i64>(a)} * static_cast<i64>(b) >> 64);
}
BOTH u32 least(u32 a, u32 b) { return a < b ? a : b; }
BOTH u32 signed_most(u32 a, u32 b) { return static_cast<i32>(a) > static_cast<i32>(b) ? a : b; }
BOTH u32 product_24(u32 a, u32 b) { return (a & 0xffffff) * (b & 0xffffff); }
BOTH u32 signed_product_24(u32 a, u32 b) {
  const i64 x = static_cast<i32>(a << 8) >> 8, y = static_cast<i32>(b << 8) >> 8;
  return static_cast<u32>(x * y);
}
BOTH u32 bytes_saturated(u32 a) {
  const i32 x = static_cast<i32>(a);
  const i32 low = x > 127 ? 127 : x < -128 ? -128 : x;
  const u32 high = x > 255 ? 255 : x < 0 ? 0 : a;
  return static_cast<u32>(low) ^ high << 8;
}

// ---- rounding ----

/// Computes in the processor's own mode of rounding, which no compiler may move across.
template <Towards Way, class Act>
auto rounding(Act act) {
  constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  std::fesetround(modes[static_cast<int>(Way)]);
  const volatile auto out = act();
  std::fesetround(FE_TONEAREST);
  return out;
}
template <Towards Way, class T>
BOTH T sum_to(T a, T b) {
  const volatile T x = a, y = b;
  return rounding<Way>([&] { return static_cast<T>(x + y); });
}
template <Towards Way, class T>
BOTH T product_to(T a, T b) {
  const volatile T x = a, y = b;
  return rounding<Way>([&] { return static_cast<T>(x * y); });
}
/// The sum of what is exact in double precision, with its last bit set where that is not exact: it
/// can be rounded once more, to far fewer bits, and is then rounded once.
BOTH double sum_to_odd(double a, double b) {
  const double sum = a + b;
  if (!(std::fabs(sum) < INFINITY)) return sum;
  const double other = sum - a, lost = (a - (sum - other)) + (b - other);
  if (lost == 0) return sum;
  const double cut = (lost < 0) == (sum < 0) ? sum : std::nextafter(sum, 0.0);
  u64 bits;
  memcpy(&bits, &cut, 8);
  bits |= 1;
  double out;
  memcpy(&out, &bits, 8);
  return out;
}
template <Towards Way>
BOTH float narrowed(double a) {
  const volatile double x = a;
  return rounding<Way>([&] { return static_cast<float>(x); });
}
template <Towards Way>
BOTH float fused_to(float a, float b, float c) {
  const double product = static_cast<double>(a) * b;
  // Zero of either sign, as the mode has it.
  if (product == -static_cast<double>(c)) {
    const volatile double x = product, y = c;
    return rounding<Way>([&] { return static_cast<float>(x + y); });
  }
  return narrowed<Way>(sum_to_odd(product, c));
}
template <Towards Way>
BOTH float real_of(u64 a) {
  const volatile u64 x = a;
  if (Way == Towards::near || Way == Towards::zero)
    return rounding<Way>([&] { return static_cast<float>(static_cast<u64>(x)); });
  return rounding<Way>([&] { return static_cast<float>(static_cast<i64>(x)); });
}
template <Towards Way>
BOTH double whole_real(double a) {
  return Way == Towards::near   ? std::nearbyint(a)
         : Way == Towards::zero ? std::trunc(a)
         : Way == Towards::down ? std::floor(a)
                                : std::ceil(a);
}
template <Towards Way>
BOTH u32 whole_to(float a) {
  const double x = whole_real<Way>(a);
  if (x != x) return 0;
  return static_cast<u32>(x >= 0x1p31 ? INT32_MAX : x < -0x1p31 ? INT32_MIN : static_cast<i32>(x));
}
template <Towards Way>
BOTH u64 whole_to(double a) {
  return static_cast<u64>(whole(whole_real<Way>(a)));
}
BOTH u32 natural(float a) { return !(a > 0) ? 0 : a >= 0x1p32f ? ~0u : static_cast<u32>(a); }
template <Towards Way>
BOTH __half half_to(float a) {
  u32 bits;
  memcpy(&bits, &a, 4);
  const u32 sign = bits >> 16 & 0x8000;
  if (a != a) return half_of(0x7fff);
  const double size = std::fabs(static_cast<double>(a));
  const bool away = (Way == Towards::up && sign == 0) || (Way == Towards::down && sign != 0);
  if (size == INFINITY) return half_of(sign | 0x7c00);
  // In steps of the half's last place.
  const int power = size < 0x1p-14 ? -24 : std::ilogb(size) - 10;
  const double steps = std::ldexp(size, -power);
  const double kept = Way == Towards::near ? std::nearbyint(steps)
                      : away               ? std::ceil(steps)
                                           : std::floor(steps);
  const double out = std::ldexp(kept, power);
  if (out > 65504) return half_of(sign | (Way == Towards::near || away ? 0x7c00 : 0x7bff));
  __half exact = __float2half_rn(static_cast<float>(out));
  return half_of(sign | bits_of(exact));
}

// ---- least, most, flushed ----

template <class T>
BOTH T least_of(T a, T b) {
  if (a != a) return b;
  if (b != b) return a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
template <class T>
BOTH T most_of(T a, T b) {
  if (a != a) return b;
  if (b != b) return a;
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}
BOTH float least(float a, float b) { return least_of(a, b); }
BOTH float most(float a, float b) { return most_of(a, b); }
BOTH double least(double a, double b) { return least_of(a, b); }
BOTH double most(double a, double b) { return most_of(a, b); }
BOTH float least_or_nan(float a, float b) { return a != a || b != b ? NAN : least_of(a, b); }
BOTH float flushed(float a) { return std::fabs(a) < 0x1p-126f ? std::copysign(0.0f, a) : a; }
BOTH float sum_flushed(float a, float b) { return flushed(flushed(a) + flushed(b)); }
BOTH float product_flushed(float a, float b) {
  const double exact = static_cast<double>(flushed(a)) * flushed(b);
  // What is too small before it is rounded is flushed.
  if (std::fabs(exact) < 0x1p-126) return std::copysign(0.0f, static_cast<float>(exact));
  return static_cast<float>(exact);
}
BOTH float saturated(float a) { return a > 0 ? (a < 1 ? a : 1) : 0; }

// ---- two numbers in a word ----

/// A half or a bfloat16 as the double that it is, and back, rounded once.
struct HalfBits {
  static double value(u32 bits) { return __half2float(half_of(bits)); }
  static u32 bits(double x) { return bits_of(__double2half(x)); }
};
struct BrainBits {
  static double value(u32 bits) {
    bits = (bits & 0xffff) << 16;
    float out;
    memcpy(&out, &bits, 4);
    return out;
  }
  static u32 bits(double x) {
    if (x != x) return 0x7fc0;
    // To an odd float, which keeps what the second rounding has to know.
    float cut = rounding<Towards::zero>([&, v = x] {
      const volatile double y = v;
      return static_cast<float>(y);
    });
    u32 bits;
    memcpy(&bits, &cut, 4);
    if (static_cast<double>(cut) != x) bits |= 1;
    if (std::fabs(x) == INFINITY) return x > 0 ? 0x7f80 : 0xff80;
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  }
};
template <Pair What, class Bits>
BOTH u32 computed(u32 a_bits, u32 b_bits, u32 c_bits) {
  const double a = Bits::value(a_bits), b = Bits::value(b_bits), c = Bits::value(c_bits);
  if constexpr (What == Pair::sum) return Bits::bits(sum_to_odd(a, b));
  if constexpr (What == Pair::difference) return Bits::bits(sum_to_odd(a, -b));
  if constexpr (What == Pair::product) return Bits::bits(a * b);
  if constexpr (What == Pair::fused) return Bits::bits(sum_to_odd(a * b, c));
  if constexpr (What == Pair::least) return Bits::bits(least_of(a, b));
  if constexpr (What == Pair::most) return Bits::bits(most_of(a, b));
  if constexpr (What == Pair::least_nan) return Bits::bits(a != a || b != b ? NAN : least_of(a, b));
  if constexpr (What == Pair::fused_relu) {
    const u32 out = Bits::bits(sum_to_odd(a * b, c));
    const double x = Bits::value(out);
    return x != x ? out : x > 0 ? out : 0;
  }
  if constexpr (What == Pair::sat) {
    const double x = Bits::value(Bits::bits(sum_to_odd(a, b)));
    return x > 0 ? Bits::bits(x < 1 ? x : 1) : 0;
  }
}
template <Pair What, class Bits>
BOTH u32 each_half(u32 a, u32 b, u32 c) {
  const u32 low = computed<What, Bits>(a & 0xffff, b & 0xffff, c & 0xffff);
  return computed<What, Bits>(a >> 16, b >> 16, c >> 16) << 16 | low;
}
template <Pair What>
BOTH u32 raw_pairs(u32 a, u32 b, u32 c) {
  return pair_bits<0x7c00, 0x7e00>(each_half<What, HalfBits>(a, b, c));
}
template <Pair What>
BOTH u32 raw_brain_pairs(u32 a, u32 b, u32 c) {
  return pair_bits<0x7f80, 0x7fc0>(each_half<What, BrainBits>(a, b, c));
}
BOTH u32 pairs_less(u32 a, u32 b) {
  u32 less = 0, not_less = 0;
  for (u32 at = 0; at < 32; at += 16) {
    const double x = HalfBits::value(a >> at & 0xffff), y = HalfBits::value(b >> at & 0xffff);
    if (x < y) less |= 0xffffu << at;
    if (!(y < x)) not_less |= 0xffffu << at;
  }
  return less ^ not_less << 3;
}
BOTH u32 brain_of(float a) {
  u32 bits;
  memcpy(&bits, &a, 4);
  if (a != a) return 0x7fc07fc0;
  return pair_bits<0x7f80, 0x7fc0>(BrainBits::bits(a) | (bits & 0xffff0000));
}
