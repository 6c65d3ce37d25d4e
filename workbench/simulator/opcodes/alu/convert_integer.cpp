// Conversions between integers, and from floating-point formats to integers.
#include "simulator/opcodes/alu/convert_integer.hpp"

#include <limits>

#include "simulator/opcodes/float_functions.hpp"

namespace klab::sim {

namespace {

using ptx::Type;

bool is_signed(Type type) {
  return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64;
}

// ---- integers in registers wider than their type, and .sat: one lane at a time ----
// imm: source bytes and sign, destination bytes and sign, saturation; op[2] and op[3]: register
// bytes.
struct IntegerForm {
  u8 from_bytes, from_signed, to_bytes, to_signed, saturate, from_register, to_register;
};
i64 extend(u64 value, u32 bytes, bool sign) {
  if (bytes == 8) return static_cast<i64>(value);
  const u32 shift = 64 - 8 * bytes;
  return sign ? static_cast<i64>(value << shift) >> shift
              : static_cast<i64>(value << shift >> shift);
}
u64 read_register(Warp& warp, u32 offset, u32 bytes, u32 lane) {
  if (bytes == 2) return slot<u16>(warp, offset)[lane];
  return bytes == 4 ? slot<u32>(warp, offset)[lane] : slot<u64>(warp, offset)[lane];
}
void write_register(Warp& warp, u32 offset, u32 bytes, u32 lane, u64 value) {
  if (bytes == 2) slot<u16>(warp, offset)[lane] = static_cast<u16>(value);
  if (bytes == 4) slot<u32>(warp, offset)[lane] = static_cast<u32>(value);
  if (bytes == 8) slot<u64>(warp, offset)[lane] = value;
}
u64 clamp_integer(i64 value, bool from_signed, u32 bytes, bool sign) {
  const i64 most = sign ? static_cast<i64>(~0ull >> (65 - 8 * bytes))
                        : (bytes == 8 ? -1 : static_cast<i64>((1ull << (8 * bytes)) - 1));
  const i64 least = sign ? -most - 1 : 0;
  if (from_signed) {
    if (value < least) return static_cast<u64>(least);
    return !sign && bytes == 8 ? static_cast<u64>(value)
                               : static_cast<u64>(value > most ? most : value);
  }
  return static_cast<u64>(value) > static_cast<u64>(most) ? static_cast<u64>(most)
                                                          : static_cast<u64>(value);
}
void run_integer(Warp& warp, const Inst& inst) {
  IntegerForm form;
  std::memcpy(&form, &inst.imm, sizeof form);
  for_each_lane(warp.mask, [&](u32 lane) {
    const u64 raw = read_register(warp, inst.op[1], form.from_register, lane);
    const i64 value = extend(raw, form.from_bytes, form.from_signed);
    const u64 out = form.saturate
                        ? clamp_integer(value, form.from_signed, form.to_bytes, form.to_signed)
                        : static_cast<u64>(value);
    write_register(warp, inst.op[0], form.to_register, lane,
                   static_cast<u64>(extend(out, form.to_bytes, form.to_signed)));
  });
}

// ---- floating point to integer ----
// Out of range clamps. NaN: 0 from .f32 and .f16 to 32 bits and less, else 1 << (width - 1).
// PTX ISA 9.0, cvt.
template <class D, Rounding R>
struct FloatToInteger {
  template <class S>
  D operator()(S x) const {
    using L = std::numeric_limits<D>;
    constexpr D nan =
        sizeof(S) == 8 || sizeof(D) == 8 ? static_cast<D>(u64{1} << (8 * sizeof(D) - 1)) : D{0};
    const double v = round_to_integer<R>(static_cast<double>(x));
    constexpr double least = static_cast<double>(L::min());
    // One past the largest: a power of two, exact in double.
    constexpr double past =
        2.0 * static_cast<double>(D{1} << (sizeof(D) * 8 - (L::is_signed ? 2 : 1)));
    if (v != v) return nan;
    return v < least ? L::min() : (v >= past ? L::max() : static_cast<D>(v));
  }
};
// The rarer conversions, one lane at a time: any source, width, rounding and register.
struct FloatForm {
  Type from, to;
  Rounding rounding;
  bool flush;
  u8 to_register;
};
template <class D, class S>
u64 rounded_integer(S x, Rounding rounding) {
  return with_rounding(rounding, [=](auto known) {
    return static_cast<u64>(FloatToInteger<D, decltype(known)::value>()(x));
  });
}
template <class S>
u64 to_integer(S x, Type to, Rounding rounding) {
  switch (to) {
    case Type::s8:
      return rounded_integer<i8>(x, rounding);
    case Type::u8:
      return rounded_integer<u8>(x, rounding);
    case Type::s16:
      return rounded_integer<i16>(x, rounding);
    case Type::u16:
      return rounded_integer<u16>(x, rounding);
    case Type::s32:
      return rounded_integer<i32>(x, rounding);
    case Type::u32:
      return rounded_integer<u32>(x, rounding);
    case Type::s64:
      return rounded_integer<i64>(x, rounding);
    default:
      return rounded_integer<u64>(x, rounding);
  }
}
void run_float_to_integer(Warp& warp, const Inst& inst) {
  FloatForm form;
  std::memcpy(&form, &inst.imm, sizeof form);
  for_each_lane(warp.mask, [&](u32 lane) {
    u64 out = 0;
    if (form.from == Type::f64) {
      out = to_integer(slot<double>(warp, inst.op[1])[lane], form.to, form.rounding);
    } else {
      float x = 0;
      if (form.from == Type::f32) x = slot<float>(warp, inst.op[1])[lane];
      if (form.from == Type::f16)
        x = static_cast<float>(Half{slot<u16>(warp, inst.op[1])[lane]}.value());
      if (form.from == Type::bf16)
        x = static_cast<float>(Bfloat{slot<u16>(warp, inst.op[1])[lane]}.value());
      out = to_integer(form.flush ? flush(x) : x, form.to, form.rounding);
    }
    write_register(warp, inst.op[0], form.to_register, lane, out);
  });
}

}  // namespace

bool is_integer(Type type) {
  return is_signed(type) || type == Type::u8 || type == Type::u16 || type == Type::u32 ||
         type == Type::u64;
}

bool select_integer(Encoder& e, Type to, Type from) {
  const u32 to_register = e.register_bytes(e.in.operands[0]);
  u32 from_register = e.register_bytes(e.in.operands[1]);
  if (from_register == 0) from_register = std::max(2u, ptx::bytes_of(from));
  const bool exact = to_register == ptx::bytes_of(to) && from_register == ptx::bytes_of(from);
  if (exact && !e.has("sat"))
    return with_bits(to, [&](auto d) {  // the destination's sign changes no bit
      using D = decltype(d);
      return with_integer(from, [&](auto s) { return emit<ConvertTo<D>, D, decltype(s)>(e); });
    });
  const IntegerForm form{static_cast<u8>(ptx::bytes_of(from)),
                         is_signed(from),
                         static_cast<u8>(ptx::bytes_of(to)),
                         is_signed(to),
                         e.has("sat"),
                         static_cast<u8>(from_register),
                         static_cast<u8>(to_register)};
  std::memcpy(&e.out.imm, &form, sizeof form);
  e.handlers(run_integer);
  e.out.op[0] = e.write(0, to_register);
  e.out.op[1] = e.read(1, from_register);
  return true;
}

Rounding integer_rounding(const Encoder& e) {
  return e.has("rzi")   ? Rounding::zero
         : e.has("rmi") ? Rounding::down
         : e.has("rpi") ? Rounding::up
                        : Rounding::nearest;
}

bool select_float_to_integer(Encoder& e, Type to, Type from) {
  const Rounding rounding = integer_rounding(e);
  const u32 to_register = e.register_bytes(e.in.operands[0]);
  if (from == Type::f32 && to_register == 4 && !e.has("ftz")) {
    if (to == Type::s32 && rounding == Rounding::zero)
      return emit<FloatToInteger<i32, Rounding::zero>, i32, float>(e);
    if (to == Type::u32 && rounding == Rounding::zero)
      return emit<FloatToInteger<u32, Rounding::zero>, u32, float>(e);
    if (to == Type::s32 && rounding == Rounding::nearest)
      return emit<FloatToInteger<i32, Rounding::nearest>, i32, float>(e);
  }
  const FloatForm form{from, to, rounding, e.has("ftz"), static_cast<u8>(to_register)};
  static_assert(sizeof form <= sizeof(i64));
  std::memcpy(&e.out.imm, &form, sizeof form);
  e.handlers(run_float_to_integer);
  e.out.op[0] = e.write(0, to_register);
  e.out.op[1] = e.read(1, ptx::bytes_of(from));
  return true;
}

}  // namespace klab::sim
