// The operations of cp.reduce.async.bulk by type (PTX ISA 9.0, cp.reduce.async.bulk). Each element
// is reduced by a relaxed atomic operation of its own.
#include "simulator/opcodes/memory/bulk_reduce.hpp"

#include "simulator/opcodes/memory/atomic_functions.hpp"

namespace klab::sim {

namespace {

template <class F, class T>
void reduce(std::byte* into, const std::byte* from, u32 bytes) {
  for (u32 at = 0; at < bytes; at += sizeof(T)) {
    T value;
    std::memcpy(&value, from + at, sizeof value);
    atomics::apply<F, T>(into + at, value, T{});
  }
}

template <class S, bool Max>
struct SmallExtremum {
  u16 operator()(u16 old, u16 b, u16) const {
    return S::round(extremum<Max, false>(S{old}.value(), S{b}.value())).bits;
  }
};

template <class T>
Reduction of_bits(const Encoder& e) {
  if (e.has("and")) return reduce<atomics::And, T>;
  if (e.has("or")) return reduce<atomics::Or, T>;
  return e.has("xor") ? reduce<atomics::Xor, T> : nullptr;
}
template <class T>
Reduction of_integers(const Encoder& e) {
  if (e.has("add")) return reduce<atomics::Add, T>;
  if (e.has("min")) return reduce<atomics::Least, T>;
  return e.has("max") ? reduce<atomics::Most, T> : nullptr;
}
template <class S>
Reduction of_small_floats(const Encoder& e) {
  if (e.has("add")) return reduce<atomics::AddSmall<S>, u16>;
  if (e.has("min")) return reduce<SmallExtremum<S, false>, u16>;
  return e.has("max") ? reduce<SmallExtremum<S, true>, u16> : nullptr;
}

}  // namespace

Reduction reduction_of(const Encoder& e) {
  using ptx::Type;
  switch (e.type()) {
    case Type::b32:
      return of_bits<u32>(e);
    case Type::b64:
      return of_bits<u64>(e);
    case Type::u32:
      if (e.has("inc")) return reduce<atomics::Increment, u32>;
      if (e.has("dec")) return reduce<atomics::Decrement, u32>;
      return of_integers<u32>(e);
    case Type::s32:
      return of_integers<i32>(e);
    case Type::u64:
      return of_integers<u64>(e);
    case Type::s64:
      return of_integers<i64>(e);
    case Type::f16:
      return of_small_floats<Half>(e);
    case Type::bf16:
      return of_small_floats<Bfloat>(e);
    case Type::f32:
      return e.has("add") ? reduce<atomics::AddFloat, u32> : nullptr;
    case Type::f64:
      return e.has("add") ? reduce<atomics::AddDouble, u64> : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace klab::sim
