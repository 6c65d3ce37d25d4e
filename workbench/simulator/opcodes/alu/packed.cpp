// Two or four small integers in one register: .s16x2 and .u16x2, and the video instructions that
// CUDA C++ makes by itself.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "simulator/opcodes/lanes.hpp"

namespace klab::sim {

namespace {

template <class F, class T>
struct OnHalves {
  u32 operator()(u32 a, u32 b) const {
    const auto low = static_cast<u16>(F()(static_cast<T>(a), static_cast<T>(b)));
    const auto high = static_cast<u16>(F()(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
    return u32{high} << 16 | low;
  }
};
struct Add {
  int operator()(int a, int b) const { return a + b; }
};
template <bool Max, bool Relu>
struct Extremum {
  int operator()(int a, int b) const {
    const int value = Max ? std::max(a, b) : std::min(a, b);
    return Relu ? std::max(0, value) : value;
  }
};

template <class F>
bool bind_halves(Encoder& e) {
  return e.has("s16x2") ? emit<OnHalves<F, i16>, u32, u32, u32>(e)
                        : emit<OnHalves<F, u16>, u32, u32, u32>(e);
}
bool is_pair(const Encoder& e) { return e.has("s16x2") || e.has("u16x2"); }
bool select_add(Encoder& e) { return is_pair(e) && bind_halves<Add>(e); }
template <bool Max>
bool select_extremum(Encoder& e) {
  if (!is_pair(e)) return false;
  return e.has("relu") ? bind_halves<Extremum<Max, true>>(e) : bind_halves<Extremum<Max, false>>(e);
}

// vabsdiff2, vabsdiff4: differences part by part, written side by side or summed onto c.
template <class T, bool Sum>
struct AbsoluteDifferences {
  u32 operator()(u32 a, u32 b, u32 c) const {
    constexpr u32 bits = 8 * sizeof(T);
    u32 parts = 0, sum = c;
    for (u32 at = 0; at < 32; at += bits) {
      const int x = static_cast<T>(a >> at), y = static_cast<T>(b >> at);
      const auto difference = static_cast<u32>(std::abs(x - y));
      sum += difference;
      parts |= (difference & (~0u >> (32 - bits))) << at;
    }
    return Sum ? sum : parts;
  }
};
template <class Signed, class Unsigned>
bool select_differences(Encoder& e) {
  // Only the forms of the CUDA intrinsics: both operands of one sign, all parts, no saturation.
  for (const ptx::Operand& operand : e.in.operands)
    if (!operand.part.empty()) return false;
  if (e.in.parts.size() < 4 || e.operands() != 4 || e.in.parts[2] != e.in.parts[3] || e.has("sat"))
    return false;
  const bool sum = e.has("add");
  if (e.in.parts.size() != (sum ? 5u : 4u)) return false;
  if (e.in.parts[2] == "s32")
    return sum ? emit<AbsoluteDifferences<Signed, true>, u32, u32, u32, u32>(e)
               : emit<AbsoluteDifferences<Signed, false>, u32, u32, u32, u32>(e);
  return sum ? emit<AbsoluteDifferences<Unsigned, true>, u32, u32, u32, u32>(e)
             : emit<AbsoluteDifferences<Unsigned, false>, u32, u32, u32, u32>(e);
}

constexpr std::array<Opcode, 5> table{{
    {"add", select_add, ".s16x2 .u16x2"},
    {"min", select_extremum<false>, ".s16x2 .u16x2, .relu"},
    {"max", select_extremum<true>, ".s16x2 .u16x2, .relu"},
    {"vabsdiff2", select_differences<i16, u16>, ".s32 .u32, .add"},
    {"vabsdiff4", select_differences<i8, u8>, ".s32 .u32, .add"},
}};

}  // namespace

std::span<const Opcode> packed_opcodes() { return table; }

}  // namespace klab::sim
