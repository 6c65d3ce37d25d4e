// What atomic operations make of an old value, and how a word of memory takes it.
#pragma once
#include <bit>
#include <cstddef>
#include <cstring>
#include <mutex>

#include "simulator/opcodes/float_functions.hpp"
#include "simulator/opcodes/lanes.hpp"

namespace klab::sim::atomics {

__extension__ using u128 = unsigned __int128;

// New value from the old one and the operands b and c.
struct Add {
  template <class T>
  T operator()(T old, T b, T) const {
    return static_cast<T>(old + b);
  }
};
struct Least {
  template <class T>
  T operator()(T old, T b, T) const {
    return b < old ? b : old;
  }
};
struct Most {
  template <class T>
  T operator()(T old, T b, T) const {
    return old < b ? b : old;
  }
};
struct And {
  template <class T>
  T operator()(T old, T b, T) const {
    return old & b;
  }
};
struct Or {
  template <class T>
  T operator()(T old, T b, T) const {
    return old | b;
  }
};
struct Xor {
  template <class T>
  T operator()(T old, T b, T) const {
    return old ^ b;
  }
};
struct Exchange {
  template <class T>
  T operator()(T, T b, T) const {
    return b;
  }
};
struct CompareAndSwap {
  template <class T>
  T operator()(T old, T b, T c) const {
    return old == b ? c : old;
  }
};
struct Increment {
  u32 operator()(u32 old, u32 b, u32) const { return old >= b ? 0 : old + 1; }
};
struct Decrement {
  u32 operator()(u32 old, u32 b, u32) const { return old == 0 || old > b ? b : old - 1; }
};
struct AddFloat {
  u32 operator()(u32 old, u32 b, u32) const {
    return std::bit_cast<u32>(std::bit_cast<float>(old) + std::bit_cast<float>(b));
  }
};
// In global memory; one in shared memory keeps numbers that are next to zero (PTX ISA 9.0, atom).
struct AddFloatFlushed {
  u32 operator()(u32 old, u32 b, u32) const {
    return std::bit_cast<u32>(
        flush(flush(std::bit_cast<float>(old)) + flush(std::bit_cast<float>(b))));
  }
};
struct AddDouble {
  u64 operator()(u64 old, u64 b, u64) const {
    return std::bit_cast<u64>(std::bit_cast<double>(old) + std::bit_cast<double>(b));
  }
};
template <class S>
struct AddSmall {
  u16 operator()(u16 old, u16 b, u16) const { return S::round(S{old}.value() + S{b}.value()).bits; }
};
template <class S>
struct AddPair {
  u32 operator()(u32 old, u32 b, u32) const {
    const AddSmall<S> add;
    const u32 low = add(static_cast<u16>(old), static_cast<u16>(b), 0);
    return u32{add(static_cast<u16>(old >> 16), static_cast<u16>(b >> 16), 0)} << 16 | low;
  }
};

// Not every processor exchanges 16 bytes at once.
template <class F>
u128 apply(std::byte* at, u128 b, u128 c) {
  static std::mutex one_at_a_time;
  const std::scoped_lock lock(one_at_a_time);
  u128 old;
  std::memcpy(&old, at, sizeof old);
  const u128 next = F()(old, b, c);
  std::memcpy(at, &next, sizeof next);
  return old;
}

template <class F, class T>
T apply(std::byte* at, T b, T c) {
  T* target = reinterpret_cast<T*>(at);
  T old = __atomic_load_n(target, __ATOMIC_SEQ_CST);
  T next = F()(old, b, c);
  // A compare-and-swap that fails, or an exchange that changes nothing, writes nothing.
  while (next != old &&
         !__atomic_compare_exchange_n(target, &old, next, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    next = F()(old, b, c);
  return old;
}

}  // namespace klab::sim::atomics
