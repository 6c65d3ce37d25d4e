// cvt.pack: two integers, each cut off at the bounds of a narrower type, side by side.
#include <algorithm>
#include <array>

#include "simulator/opcodes/lanes.hpp"

namespace klab::sim {

namespace {

template <int Bits, bool Signed>
u32 narrowed(i32 value) {
  constexpr i32 least = Signed ? -(1 << (Bits - 1)) : 0;
  constexpr i32 most = (1 << (Signed ? Bits - 1 : Bits)) - 1;
  return static_cast<u32>(std::clamp(value, least, most)) & ((1u << Bits) - 1);
}

template <int Bits, bool Signed>
struct Pack {
  u32 operator()(i32 high, i32 low) const {
    return narrowed<Bits, Signed>(high) << Bits | narrowed<Bits, Signed>(low);
  }
};

// What was packed before moves up.
template <int Bits, bool Signed>
struct PackMore {
  u32 operator()(i32 high, i32 low, u32 before) const {
    return before << (2 * Bits) | Pack<Bits, Signed>()(high, low);
  }
};

template <int Bits, bool Signed>
bool bind(Encoder& e) {
  if constexpr (Bits == 16)
    return e.operands() == 3 && emit<Pack<Bits, Signed>, u32, i32, i32>(e);
  else
    return e.operands() == 4 && emit<PackMore<Bits, Signed>, u32, i32, i32, u32>(e);
}

bool select_cvt(Encoder& e) {
  if (!e.has("pack") || e.in.parts.size() < 5) return false;
  const std::string_view to = e.in.parts[3];
  if (to == "u16") return bind<16, false>(e);
  if (to == "s16") return bind<16, true>(e);
  if (to == "u8") return bind<8, false>(e);
  if (to == "s8") return bind<8, true>(e);
  if (to == "u4") return bind<4, false>(e);
  if (to == "s4") return bind<4, true>(e);
  if (to == "u2") return bind<2, false>(e);
  return to == "s2" && bind<2, true>(e);
}

constexpr std::array<Opcode, 1> table{{
    {"cvt", select_cvt, ".pack.sat from two .s32 to .u2-.s16, behind what was packed before"},
}};

}  // namespace

std::span<const Opcode> convert_pack_opcodes() { return table; }

}  // namespace klab::sim
