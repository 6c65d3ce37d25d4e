// Applying a scalar function to all lanes of a warp, and binding that to an opcode.
#pragma once
#include <cfenv>
#include <cstdint>
#include <type_traits>

#include "simulator/execute/warp.hpp"
#include "simulator/program/encoder.hpp"

namespace klab::sim {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

// A function that says `per_lane` is too costly to compute for inactive lanes (and is not
// vectorized).
template <class F>
concept PerLane = requires {
  requires F::per_lane;
};

// op[0] = F(op[1], op[2], ...). Source and destination may be the same slot.
template <bool Masked, class F, class D, class... A>
void map_lanes(Warp& warp, const Inst& inst) {
  D* out = slot<D>(warp, inst.op[0]);
  const auto run = [&](const A*... in) {
    if constexpr (Masked && PerLane<F>) {
      for_each_lane(warp.mask, [&](u32 lane) { out[lane] = F()(in[lane]...); });
    } else {
      const u32* mask = warp.lane_mask;
#pragma GCC ivdep
      for (int lane = 0; lane < lane_count; ++lane) {
        const D value = F()(in[lane]...);
        out[lane] = !Masked || mask[lane] != 0 ? value : out[lane];
      }
    }
  };
  if constexpr (sizeof...(A) == 1)
    run(slot<A>(warp, inst.op[1])...);
  else if constexpr (sizeof...(A) == 2)
    [&]<class X, class Y>(std::type_identity<void(X, Y)>) {
      run(slot<X>(warp, inst.op[1]), slot<Y>(warp, inst.op[2]));
    }(std::type_identity<void(A...)>{});
  else
    [&]<class X, class Y, class Z>(std::type_identity<void(X, Y, Z)>) {
      run(slot<X>(warp, inst.op[1]), slot<Y>(warp, inst.op[2]), slot<Z>(warp, inst.op[3]));
    }(std::type_identity<void(A...)>{});
}

// Runs a handler under another rounding mode.
template <int Mode, Handler H>
void with_rounding(Warp& warp, const Inst& inst) {
  std::fesetround(Mode);
  H(warp, inst);
  std::fesetround(FE_TONEAREST);
}

// Binds the opcode at hand to F on operands of the widths of D and A.
template <class F, class D, class... A>
bool emit(Encoder& encoder) {
  encoder.handlers(map_lanes<false, F, D, A...>, map_lanes<true, F, D, A...>);
  encoder.out.op[0] = encoder.write(0, sizeof(D));
  std::size_t index = 0;
  ((++index, encoder.out.op[index] = encoder.read(index, sizeof(A))), ...);
  return true;
}

// The same under the rounding mode that the opcode names.
template <class F, class D, class... A>
bool emit_rounded(Encoder& encoder) {
  emit<F, D, A...>(encoder);
  constexpr Handler full = map_lanes<false, F, D, A...>, masked = map_lanes<true, F, D, A...>;
  if (encoder.has("rz"))
    encoder.handlers(with_rounding<FE_TOWARDZERO, full>, with_rounding<FE_TOWARDZERO, masked>);
  if (encoder.has("rm"))
    encoder.handlers(with_rounding<FE_DOWNWARD, full>, with_rounding<FE_DOWNWARD, masked>);
  if (encoder.has("rp"))
    encoder.handlers(with_rounding<FE_UPWARD, full>, with_rounding<FE_UPWARD, masked>);
  return true;
}

// Calls act with a value of the C++ type of an integer PTX type; false for other types.
template <class Act>
bool with_integer(ptx::Type type, Act&& act) {
  using ptx::Type;
  switch (type) {
    case Type::s16:
      return act(i16{});
    case Type::u16:
    case Type::b16:
      return act(u16{});
    case Type::s32:
      return act(i32{});
    case Type::u32:
    case Type::b32:
      return act(u32{});
    case Type::s64:
      return act(i64{});
    case Type::u64:
    case Type::b64:
      return act(u64{});
    default:
      return false;
  }
}

// The same by width alone, for opcodes to which signs don't matter.
template <class Act>
bool with_bits(ptx::Type type, Act&& act) {
  switch (ptx::bytes_of(type)) {
    case 2:
      return act(u16{});
    case 4:
      return act(u32{});
    case 8:
      return act(u64{});
    default:
      return false;
  }
}

}  // namespace klab::sim
