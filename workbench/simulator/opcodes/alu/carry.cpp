// Arithmetic on numbers wider than a register: additions that leave a carry and take one in. The
// flag is always the adder's: a difference is the sum a + ~b + 1, so it leaves a carry where it
// borrows nothing. ptxas and nvcc's 128-bit division rely on that: they read it with addc.
#include <array>

#include "simulator/opcodes/lanes.hpp"

namespace klab::sim {

namespace {

template <class T>
struct Double;
template <>
struct Double<u32> {
  using Unsigned = u64;
  using Signed = i64;
};
template <>
struct Double<u64> {
  __extension__ using Unsigned = unsigned __int128;
  __extension__ using Signed = __int128;
};

template <class T>
struct Sum {
  T value;
  bool carry;
};

// d = a + b + carry
struct Add {
  static constexpr bool first_carry = false;
  template <class T>
  static Sum<T> compute(T a, T b, T, bool carry) {
    const auto wide = typename Double<T>::Unsigned{a} + b + carry;
    return {static_cast<T>(wide), wide >> (8 * sizeof(T)) != 0};
  }
};
// d = a - b, less one unless carried
struct Subtract {
  static constexpr bool first_carry = true;
  template <class T>
  static Sum<T> compute(T a, T b, T, bool carry) {
    return Add::compute(a, static_cast<T>(~b), T{}, carry);
  }
};
// d = half of a * b, + c + carry; the flag is that of the addition
template <bool High, bool Negative>
struct MultiplyAdd {
  static constexpr bool first_carry = false;
  template <class T>
  static Sum<T> compute(T a, T b, T c, bool carry) {
    using U = typename Double<T>::Unsigned;
    using S = typename Double<T>::Signed;
    using N = std::make_signed_t<T>;
    U product = U{a} * b;
    if constexpr (High && Negative)
      product = static_cast<U>(S{static_cast<N>(a)} * S{static_cast<N>(b)});
    return Add::compute(static_cast<T>(product >> (High ? 8 * sizeof(T) : 0)), c, T{}, carry);
  }
};

// op[1..3]: operands; op[5]: the carry flags, one bit a lane.
template <class T, class F, bool Takes, bool Leaves>
void run(Warp& warp, const Inst& inst) {
  T* out = slot<T>(warp, inst.op[0]);
  const T *a = slot<T>(warp, inst.op[1]), *b = slot<T>(warp, inst.op[2]),
          *c = slot<T>(warp, inst.op[3]);
  u32& flags = predicate(warp, inst.op[5]);
  u32 left = flags;
  for_each_lane(warp.mask, [&](u32 lane) {
    const bool taken = Takes ? (flags >> lane & 1) != 0 : F::first_carry;
    const Sum<T> sum = F::compute(a[lane], b[lane], c[lane], taken);
    out[lane] = sum.value;
    left = (left & ~(1u << lane)) | u32{sum.carry} << lane;
  });
  if constexpr (Leaves) flags = left;
}

template <class T, class F, bool Takes>
bool bind(Encoder& e, std::size_t operands) {
  e.handlers(e.has("cc") ? run<T, F, Takes, true> : run<T, F, Takes, false>);
  e.out.op[0] = e.write(0, sizeof(T));
  for (std::size_t i = 1; i <= 3; ++i)
    e.out.op[i] = i <= operands ? e.read(i, sizeof(T)) : e.constant(0, sizeof(T));
  e.out.op[5] = e.carry_flags();
  return true;
}

template <class F, bool Takes>
bool select_pair(Encoder& e) {
  if (!Takes && !e.has("cc")) return false;
  if (ptx::bytes_of(e.type()) == 4) return bind<u32, F, Takes>(e, 2);
  return ptx::bytes_of(e.type()) == 8 && bind<u64, F, Takes>(e, 2);
}

template <bool Takes, bool High, bool Negative>
bool multiply(Encoder& e) {
  using F = MultiplyAdd<High, Negative>;
  if (ptx::bytes_of(e.type()) == 4) return bind<u32, F, Takes>(e, 3);
  return ptx::bytes_of(e.type()) == 8 && bind<u64, F, Takes>(e, 3);
}
template <bool Takes>
bool select_multiply(Encoder& e) {
  if ((!Takes && !e.has("cc")) || e.has("wide")) return false;
  if (!e.has("hi")) return multiply<Takes, false, false>(e);
  const bool is_signed = e.type() == ptx::Type::s32 || e.type() == ptx::Type::s64;
  return is_signed ? multiply<Takes, true, true>(e) : multiply<Takes, true, false>(e);
}

constexpr std::array<Opcode, 6> table{{
    {"add", select_pair<Add, false>, ".cc, .s32-.u64"},
    {"addc", select_pair<Add, true>, ".cc, .s32-.u64"},
    {"sub", select_pair<Subtract, false>, ".cc, .s32-.u64"},
    {"subc", select_pair<Subtract, true>, ".cc, .s32-.u64"},
    {"mad", select_multiply<false>, ".lo.cc .hi.cc, .s32-.u64"},
    {"madc", select_multiply<true>, ".lo .hi, .cc, .s32-.u64"},
}};

}  // namespace

std::span<const Opcode> carry_opcodes() { return table; }

}  // namespace klab::sim
