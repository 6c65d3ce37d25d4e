// Conversions of integers, and how a floating-point value becomes one.
#pragma once

#include <cmath>
#include <type_traits>

#include "simulator/opcodes/lanes.hpp"

namespace klab::sim {

bool is_integer(ptx::Type type);

template <class D>
struct ConvertTo {
  template <class S>
  D operator()(S a) const {
    return static_cast<D>(a);
  }
};

enum class Rounding : u8 { nearest, zero, down, up };

// That of .rni .rzi .rmi .rpi.
Rounding integer_rounding(const Encoder& e);

// Calls `act` with the rounding as a type: std::integral_constant.
template <class Act>
auto with_rounding(Rounding rounding, Act&& act) {
  switch (rounding) {
    case Rounding::zero:
      return act(std::integral_constant<Rounding, Rounding::zero>{});
    case Rounding::down:
      return act(std::integral_constant<Rounding, Rounding::down>{});
    case Rounding::up:
      return act(std::integral_constant<Rounding, Rounding::up>{});
    default:
      return act(std::integral_constant<Rounding, Rounding::nearest>{});
  }
}

template <Rounding R, class T>
T round_to_integer(T x) {
  if constexpr (R == Rounding::zero) return std::trunc(x);
  if constexpr (R == Rounding::down) return std::floor(x);
  if constexpr (R == Rounding::up) return std::ceil(x);
  return std::nearbyint(x);
}

// cvt between integers, and from floating point to integers; false for forms that there are not.
bool select_integer(Encoder& e, ptx::Type to, ptx::Type from);
bool select_float_to_integer(Encoder& e, ptx::Type to, ptx::Type from);

}  // namespace klab::sim
