// Integer arithmetic.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "simulator/opcodes/lanes.hpp"

namespace klab::sim {

namespace {

template <class T>
using Unsigned = std::make_unsigned_t<T>;
template <class T>
using Wide = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, i32, u32>,
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, i64, u64>,
                       std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>>;

struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
struct Subtract {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a - b);
  }
};
// 16-bit operands would be promoted to int, whose overflow is undefined: multiply as 32-bit
// unsigned.
template <class T>
T multiply(T a, T b) {
  using Factor = std::conditional_t<sizeof(T) == 2, u32, Unsigned<T>>;
  return static_cast<T>(static_cast<Factor>(a) * static_cast<Factor>(b));
}
struct MultiplyLow {
  template <class T>
  T operator()(T a, T b) const {
    return multiply(a, b);
  }
};
struct MultiplyHigh {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>((static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b)) >> (8 * sizeof(T)));
  }
};
struct MultiplyWide {
  template <class T>
  Wide<T> operator()(T a, T b) const {
    return static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b);
  }
};
struct MultiplyAddLow {
  template <class T>
  T operator()(T a, T b, T c) const {
    return static_cast<T>(static_cast<Unsigned<T>>(multiply(a, b)) + static_cast<Unsigned<T>>(c));
  }
};
struct MultiplyAddWide {
  template <class T, class W>
  W operator()(T a, T b, W c) const {
    using U = Unsigned<W>;
    return static_cast<W>(static_cast<U>(static_cast<W>(a) * static_cast<W>(b)) +
                          static_cast<U>(c));
  }
};
struct AddSaturated {
  i32 operator()(i32 a, i32 b) const {
    return static_cast<i32>(std::clamp<i64>(i64{a} + b, std::numeric_limits<i32>::min(),
                                            std::numeric_limits<i32>::max()));
  }
};
struct SubtractSaturated {
  i32 operator()(i32 a, i32 b) const {
    return static_cast<i32>(std::clamp<i64>(i64{a} - b, std::numeric_limits<i32>::min(),
                                            std::numeric_limits<i32>::max()));
  }
};
template <class T>
T low_24(T value) {
  return std::is_signed_v<T> ? static_cast<T>(static_cast<i32>(static_cast<u32>(value) << 8) >> 8)
                             : static_cast<T>(static_cast<u32>(value) & 0xffffff);
}
struct Multiply24 {
  template <class T>
  T operator()(T a, T b) const {
    return multiply(low_24(a), low_24(b));
  }
};
// The upper 32 of the product's 48 bits (PTX ISA 9.0, mul24).
struct Multiply24High {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(MultiplyWide()(low_24(a), low_24(b)) >> 16);
  }
};
template <class Product>
struct PlusThird {
  template <class T>
  T operator()(T a, T b, T c) const {
    return static_cast<T>(static_cast<Unsigned<T>>(Product()(a, b)) + static_cast<Unsigned<T>>(c));
  }
};
template <class Product>
struct PlusThirdSaturated {
  i32 operator()(i32 a, i32 b, i32 c) const { return AddSaturated()(Product()(a, b), c); }
};
struct AbsoluteDifference {
  template <class T>
  T operator()(T a, T b, T c) const {
    using U = Unsigned<T>;
    const U difference =
        a > b ? static_cast<U>(a) - static_cast<U>(b) : static_cast<U>(b) - static_cast<U>(a);
    return static_cast<T>(static_cast<U>(c) + difference);
  }
};
// Division by zero is unspecified in PTX; hardware gives all ones. The one overflow wraps.
struct Divide {
  static constexpr bool per_lane = true;
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0) return static_cast<T>(~T{0});
    if (std::is_signed_v<T> && b == static_cast<T>(-1))
      return static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a));
    return static_cast<T>(a / b);
  }
};
struct Remainder {
  static constexpr bool per_lane = true;
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0) return a;
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
    return static_cast<T>(a % b);
  }
};
struct Negate {
  template <class T>
  T operator()(T a) const {
    return static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a));
  }
};
struct Absolute {
  template <class T>
  T operator()(T a) const {
    return a < 0 ? Negate()(a) : a;
  }
};
struct Minimum {
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Maximum {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct MinimumRelu {
  i32 operator()(i32 a, i32 b) const { return std::max(0, std::min(a, b)); }
};
struct MaximumRelu {
  i32 operator()(i32 a, i32 b) const { return std::max(0, std::max(a, b)); }
};
struct CountOnes {
  template <class T>
  u32 operator()(T a) const {
    return static_cast<u32>(std::popcount(a));
  }
};
struct CountLeadingZeros {
  template <class T>
  u32 operator()(T a) const {
    return static_cast<u32>(std::countl_zero(a));
  }
};
// Position of the highest bit that differs from the sign (or of the highest one); all ones if none.
template <bool Shift>
struct FindBit {
  template <class T>
  u32 operator()(T a) const {
    using U = Unsigned<T>;
    U value = static_cast<U>(a);
    if (std::is_signed_v<T> && a < 0) value = ~value;
    if (value == 0) return ~0u;
    const auto leading = static_cast<u32>(std::countl_zero(value));
    return Shift ? leading : static_cast<u32>(8 * sizeof(T)) - 1 - leading;
  }
};
struct ReverseBits {
  template <class T>
  T operator()(T a) const {
    T out = 0;
    for (unsigned i = 0; i < 8 * sizeof(T); ++i)
      out |= static_cast<T>((a >> i & 1) << (8 * sizeof(T) - 1 - i));
    return out;
  }
};
// PTX ISA 9.0, bfe: bits beyond the register are the sign bit of the field (or zero).
struct ExtractField {
  template <class T>
  T operator()(T a, u32 position, u32 length) const {
    constexpr u32 bits = 8 * sizeof(T);
    using U = Unsigned<T>;
    position &= 0xff, length &= 0xff;
    if (length == 0) return 0;
    const u32 top = std::min(position + length - 1, bits - 1);
    const bool sign = std::is_signed_v<T> && (static_cast<U>(a) >> top & 1) != 0;
    U field = position < bits ? static_cast<U>(a) >> position : 0;
    if (position < bits && length < bits) field &= static_cast<U>((U{1} << length) - 1);
    const u32 taken = position < bits ? std::min(length, bits - position) : 0;
    if (sign && taken < bits) field |= static_cast<U>(~U{0} << taken);
    return static_cast<T>(field);
  }
};
// dp4a, dp2a: products of bytes (and halves), signedness of each operand apart.
template <class A, class B>
struct DotBytes {
  i32 operator()(u32 a, u32 b, i32 c) const {
    u32 sum = static_cast<u32>(c);
    for (int i = 0; i < 4; ++i)
      sum += static_cast<u32>(static_cast<A>(a >> (8 * i)) * static_cast<B>(b >> (8 * i)));
    return static_cast<i32>(sum);
  }
};
template <class A, class B, int First>
struct DotHalves {
  i32 operator()(u32 a, u32 b, i32 c) const {
    u32 sum = static_cast<u32>(c);
    for (int i = 0; i < 2; ++i)
      sum += static_cast<u32>(static_cast<i32>(static_cast<A>(a >> (16 * i))) *
                              static_cast<i32>(static_cast<B>(b >> (8 * (i + First)))));
    return static_cast<i32>(sum);
  }
};

bool plain(const Encoder& e) { return !e.has("cc") && !e.has("sat"); }

template <class F>
bool binary(Encoder& e) {
  return plain(e) && with_integer(e.type(), [&](auto t) {
           using T = decltype(t);
           return emit<F, T, T, T>(e);
         });
}
template <class F>
bool unary(Encoder& e) {
  return with_integer(e.type(), [&](auto t) {
    using T = decltype(t);
    return emit<F, T, T>(e);
  });
}
template <class F, class Saturated>
bool wrapping(Encoder& e) {
  if (e.has("sat") && e.type() == ptx::Type::s32) return emit<Saturated, i32, i32, i32>(e);
  return plain(e) && with_integer(e.type(), [&](auto t) {
           using T = Unsigned<decltype(t)>;
           return emit<F, T, T, T>(e);
         });
}
bool select_mul(Encoder& e) {
  if (e.has("lo")) return binary<MultiplyLow>(e);
  if (e.has("hi")) return binary<MultiplyHigh>(e);
  if (!e.has("wide")) return false;
  return with_integer(e.type(), [&](auto t) {
    using T = decltype(t);
    if constexpr (sizeof(T) < 8) return emit<MultiplyWide, Wide<T>, T, T>(e);
    return false;
  });
}
template <class Product>
bool saturated_sum(Encoder& e) {
  return emit<PlusThirdSaturated<Product>, i32, i32, i32, i32>(e);
}
bool select_mad(Encoder& e) {
  if (e.has("sat"))
    return e.has("hi") && e.type() == ptx::Type::s32 && saturated_sum<MultiplyHigh>(e);
  return plain(e) && with_integer(e.type(), [&](auto t) {
           using T = decltype(t);
           if (e.has("lo")) return emit<MultiplyAddLow, T, T, T, T>(e);
           if (e.has("hi")) return emit<PlusThird<MultiplyHigh>, T, T, T, T>(e);
           if constexpr (sizeof(T) < 8)
             if (e.has("wide")) return emit<MultiplyAddWide, Wide<T>, T, T, Wide<T>>(e);
           return false;
         });
}
template <class Product>
bool product_24(Encoder& e) {
  return e.type() == ptx::Type::s32 ? emit<Product, i32, i32, i32>(e)
                                    : emit<Product, u32, u32, u32>(e);
}
bool select_mul24(Encoder& e) {
  if (e.has("lo")) return product_24<Multiply24>(e);
  return e.has("hi") && product_24<Multiply24High>(e);
}
template <class Product>
bool sum_24(Encoder& e) {
  return e.type() == ptx::Type::s32 ? emit<PlusThird<Product>, i32, i32, i32, i32>(e)
                                    : emit<PlusThird<Product>, u32, u32, u32, u32>(e);
}
bool select_mad24(Encoder& e) {
  if (e.has("lo")) return !e.has("sat") && sum_24<Multiply24>(e);
  if (!e.has("hi")) return false;
  if (e.has("sat")) return e.type() == ptx::Type::s32 && saturated_sum<Multiply24High>(e);
  return sum_24<Multiply24High>(e);
}
bool select_sad(Encoder& e) {
  return with_integer(e.type(), [&](auto t) {
    using T = decltype(t);
    return emit<AbsoluteDifference, T, T, T, T>(e);
  });
}
template <class F, class Relu>
bool extremum(Encoder& e) {
  if (e.has("relu")) return e.type() == ptx::Type::s32 && emit<Relu, i32, i32, i32>(e);
  return binary<F>(e);
}
template <class F>
bool counting(Encoder& e) {
  return e.type() == ptx::Type::b64 ? emit<F, u32, u64>(e)
                                    : e.type() == ptx::Type::b32 && emit<F, u32, u32>(e);
}
bool select_bfind(Encoder& e) {
  return with_integer(e.type(), [&](auto t) {
    using T = decltype(t);
    return e.has("shiftamt") ? emit<FindBit<true>, u32, T>(e) : emit<FindBit<false>, u32, T>(e);
  });
}
bool select_brev(Encoder& e) {
  return e.type() == ptx::Type::b64 ? emit<ReverseBits, u64, u64>(e)
                                    : emit<ReverseBits, u32, u32>(e);
}
bool select_bfe(Encoder& e) {
  return with_integer(e.type(), [&](auto t) {
    using T = decltype(t);
    if constexpr (sizeof(T) >= 4) return emit<ExtractField, T, T, u32, u32>(e);
    return false;
  });
}
bool select_dp4a(Encoder& e) {
  const bool a = e.type(1) == ptx::Type::s32, b = e.type(0) == ptx::Type::s32;
  if (a)
    return b ? emit<DotBytes<i8, i8>, i32, u32, u32, i32>(e)
             : emit<DotBytes<i8, u8>, i32, u32, u32, i32>(e);
  return b ? emit<DotBytes<u8, i8>, i32, u32, u32, i32>(e)
           : emit<DotBytes<u8, u8>, i32, u32, u32, i32>(e);
}
template <int First>
bool dp2a(Encoder& e) {
  const bool a = e.type(1) == ptx::Type::s32, b = e.type(0) == ptx::Type::s32;
  if (a)
    return b ? emit<DotHalves<i16, i8, First>, i32, u32, u32, i32>(e)
             : emit<DotHalves<i16, u8, First>, i32, u32, u32, i32>(e);
  return b ? emit<DotHalves<u16, i8, First>, i32, u32, u32, i32>(e)
           : emit<DotHalves<u16, u8, First>, i32, u32, u32, i32>(e);
}
bool select_dp2a(Encoder& e) { return e.has("lo") ? dp2a<0>(e) : dp2a<2>(e); }

constexpr std::array<Opcode, 20> table{{
    {"add", wrapping<Add, AddSaturated>, ".s16-.u64, .sat.s32"},
    {"sub", wrapping<Subtract, SubtractSaturated>, ".s16-.u64, .sat.s32"},
    {"mul", select_mul, ".lo .hi .wide, .s16-.u64"},
    {"mad", select_mad, ".lo .hi .wide, .s16-.u64; .hi.sat.s32"},
    {"mul24", select_mul24, ".lo .hi, .s32 .u32"},
    {"mad24", select_mad24, ".lo .hi, .s32 .u32; .hi.sat.s32"},
    {"sad", select_sad, ".s16-.u64"},
    {"div", binary<Divide>, ".s16-.u64"},
    {"rem", binary<Remainder>, ".s16-.u64"},
    {"neg", unary<Negate>, ".s16-.s64"},
    {"abs", unary<Absolute>, ".s16-.s64"},
    {"min", extremum<Minimum, MinimumRelu>, ".s16-.u64, .relu.s32"},
    {"max", extremum<Maximum, MaximumRelu>, ".s16-.u64, .relu.s32"},
    {"popc", counting<CountOnes>, ".b32 .b64"},
    {"clz", counting<CountLeadingZeros>, ".b32 .b64"},
    {"bfind", select_bfind, ".s32-.u64, .shiftamt"},
    {"brev", select_brev, ".b32 .b64"},
    {"bfe", select_bfe, ".s32-.u64"},
    {"dp4a", select_dp4a, ".s32 .u32, mixed"},
    {"dp2a", select_dp2a, ".lo .hi, .s32 .u32, mixed"},
}};

}  // namespace

std::span<const Opcode> integer_opcodes() { return table; }

}  // namespace klab::sim
