// Integer opcodes against the CPU.
#include <algorithm>
#include <bit>
#include <limits>

#include "simulator/opcodes/harness.hpp"

using namespace klab::sim::test;

namespace integer_tests {
namespace {

using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <class T>
std::vector<T> samples() {
  using L = std::numeric_limits<T>;
  std::vector<T> out{0,
                     1,
                     2,
                     3,
                     7,
                     31,
                     32,
                     33,
                     L::max(),
                     L::min(),
                     static_cast<T>(L::max() - 1),
                     static_cast<T>(L::min() + 1),
                     static_cast<T>(-1),
                     static_cast<T>(-2)};
  u64 state = 12345;
  for (int i = 0; i < 12; ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    out.push_back(static_cast<T>(state >> 17));
  }
  return out;
}

template <class T>
const char* suffix() {
  constexpr bool s = std::is_signed_v<T>;
  if (sizeof(T) == 2) return s ? "s16" : "u16";
  if (sizeof(T) == 4) return s ? "s32" : "u32";
  return s ? "s64" : "u64";
}

template <class T>
void check_type() {
  using U = std::make_unsigned_t<T>;
  using W = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  const auto [a, b] = pairs(samples<T>());
  std::vector<T> c = b;
  std::reverse(c.begin(), c.end());
  const auto op = [](const char* name) { return std::string(name) + "." + suffix<T>(); };
  check_opcode<T>(
      op("add") + " d, a, b;", [](T x, T y) { return static_cast<T>(U(x) + U(y)); }, a, b);
  check_opcode<T>(
      op("sub") + " d, a, b;", [](T x, T y) { return static_cast<T>(U(x) - U(y)); }, a, b);
  check_opcode<T>(
      op("mul.lo") + " d, a, b;", [](T x, T y) { return static_cast<T>(W(x) * W(y)); }, a, b);
  check_opcode<T>(
      op("mul.hi") + " d, a, b;",
      [](T x, T y) { return static_cast<T>((W(x) * W(y)) >> (8 * sizeof(T))); }, a, b);
  check_opcode<T>(
      op("mad.lo") + " d, a, b, c;",
      [](T x, T y, T z) { return static_cast<T>(W(x) * W(y) + W(z)); }, a, b, c);
  check_opcode<T>(
      op("mad.hi") + " d, a, b, c;",
      [](T x, T y, T z) { return static_cast<T>(((W(x) * W(y)) >> (8 * sizeof(T))) + W(z)); }, a, b,
      c);
  check_opcode<T>(
      op("min") + " d, a, b;", [](T x, T y) { return std::min(x, y); }, a, b);
  check_opcode<T>(
      op("max") + " d, a, b;", [](T x, T y) { return std::max(x, y); }, a, b);
  check_opcode<T>(
      op("div") + " d, a, b;",
      [](T x, T y) { return y == 0 ? static_cast<T>(~T{0}) : static_cast<T>(W(x) / W(y)); }, a, b);
  check_opcode<T>(
      op("rem") + " d, a, b;", [](T x, T y) { return y == 0 ? x : static_cast<T>(W(x) % W(y)); }, a,
      b);
  check_opcode<T>(
      op("sad") + " d, a, b, c;",
      [](T x, T y, T z) { return static_cast<T>(W(z) + (x < y ? W(y) - W(x) : W(x) - W(y))); }, a,
      b, c);
  if constexpr (std::is_signed_v<T>) {
    check_opcode<T>(
        op("neg") + " d, a;", [](T x) { return static_cast<T>(U(0) - U(x)); }, a);
    check_opcode<T>(
        op("abs") + " d, a;", [](T x) { return static_cast<T>(x < 0 ? U(0) - U(x) : U(x)); }, a);
  }
}

}  // namespace

TEST_CASE("Integer arithmetic of 16 bits is that of the CPU", "[simulator][opcode]") {
  check_type<i16>();
  check_type<u16>();
}
TEST_CASE("Integer arithmetic of 32 bits is that of the CPU", "[simulator][opcode]") {
  check_type<i32>();
  check_type<u32>();
}
TEST_CASE("Integer arithmetic of 64 bits is that of the CPU", "[simulator][opcode]") {
  check_type<i64>();
  check_type<u64>();
}

TEST_CASE("Widening products keep every bit", "[simulator][opcode]") {
  const auto [a, b] = pairs(samples<i32>());
  check_opcode<i64>(
      "mul.wide.s32 d, a, b;", [](i32 x, i32 y) { return i64{x} * y; }, a, b);
  std::vector<i64> c(a.size());
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = samples<i64>()[i % samples<i64>().size()];
  check_opcode<i64>(
      "mad.wide.s32 d, a, b, c;",
      [](i32 x, i32 y, i64 z) { return static_cast<i64>(u64(i64{x} * y) + u64(z)); }, a, b, c);
  const auto [s, t] = pairs(samples<u16>());
  check_opcode<u32>(
      "mul.wide.u16 d, a, b;", [](u16 x, u16 y) { return u32{x} * y; }, s, t);
}

TEST_CASE("Saturating addition clamps to the range of 32 bits", "[simulator][opcode]") {
  const auto [a, b] = pairs(samples<i32>());
  const auto clamp = [](i64 x) {
    return static_cast<i32>(
        std::clamp<i64>(x, std::numeric_limits<i32>::min(), std::numeric_limits<i32>::max()));
  };
  check_opcode<i32>(
      "add.sat.s32 d, a, b;", [&](i32 x, i32 y) { return clamp(i64{x} + y); }, a, b);
  check_opcode<i32>(
      "sub.sat.s32 d, a, b;", [&](i32 x, i32 y) { return clamp(i64{x} - y); }, a, b);
}

TEST_CASE("Shifts clamp their amount to the width", "[simulator][opcode]") {
  const auto [a, b] = pairs(samples<u32>());
  check_opcode<u32>(
      "shl.b32 d, a, b;", [](u32 x, u32 y) { return y > 31 ? 0 : x << y; }, a, b);
  check_opcode<u32>(
      "shr.u32 d, a, b;", [](u32 x, u32 y) { return y > 31 ? 0 : x >> y; }, a, b);
  check_opcode<u32>(
      "shr.s32 d, a, b;",
      [](u32 x, u32 y) { return static_cast<u32>(static_cast<i32>(x) >> std::min(y, 31u)); }, a, b);
  check_opcode<u32>(
      "shf.l.wrap.b32 d, a, b, 5;", [](u32 x, u32 y) { return y << 5 | x >> 27; }, a, b);
  check_opcode<u32>(
      "shf.r.clamp.b32 d, a, b, 40;", [](u32, u32 y) { return y; }, a, b);
}

TEST_CASE("Bit operations are those of the CPU", "[simulator][opcode]") {
  const auto [a, b] = pairs(samples<u32>());
  const auto w = samples<u64>();
  check_opcode<u32>(
      "and.b32 d, a, b;", [](u32 x, u32 y) { return x & y; }, a, b);
  check_opcode<u32>(
      "or.b32 d, a, b;", [](u32 x, u32 y) { return x | y; }, a, b);
  check_opcode<u32>(
      "xor.b32 d, a, b;", [](u32 x, u32 y) { return x ^ y; }, a, b);
  check_opcode<u32>(
      "not.b32 d, a;", [](u32 x) { return ~x; }, a);
  check_opcode<u32>(
      "cnot.b32 d, a;", [](u32 x) { return u32{x == 0}; }, a);
  check_opcode<u32>(
      "popc.b32 d, a;", [](u32 x) { return u32(std::popcount(x)); }, a);
  check_opcode<u32>(
      "popc.b64 d, a;", [](u64 x) { return u32(std::popcount(x)); }, w);
  check_opcode<u32>(
      "clz.b32 d, a;", [](u32 x) { return u32(std::countl_zero(x)); }, a);
  check_opcode<u32>(
      "bfind.u32 d, a;", [](u32 x) { return x == 0 ? ~0u : 31 - u32(std::countl_zero(x)); }, a);
  check_opcode<u32>(
      "bfind.shiftamt.s32 d, a;",
      [](u32 x) {
        const u32 v = static_cast<i32>(x) < 0 ? ~x : x;
        return v == 0 ? ~0u : u32(std::countl_zero(v));
      },
      a);
  check_opcode<u32>(
      "brev.b32 d, a;",
      [](u32 x) {
        u32 r = 0;
        for (int i = 0; i < 32; ++i) r |= (x >> i & 1) << (31 - i);
        return r;
      },
      a);
  check_opcode<u32>(
      "lop3.b32 d, a, b, 0x0f0f1234, 0x6a;", [](u32 x, u32 y) { return (x & y) ^ 0x0f0f1234; }, a,
      b);
}

TEST_CASE("Bit fields are extracted and inserted as the PTX manual says", "[simulator][opcode]") {
  const std::vector<u32> value{0x12345678, 0xffffffff, 0x80000000, 0x00ff00ff, 0xdeadbeef};
  for (const u32 position : {0u, 4u, 20u, 31u, 40u})
    for (const u32 length : {0u, 1u, 8u, 32u}) {
      check_opcode<u32>(
          fmt::format("bfe.u32 d, a, {}, {};", position, length),
          [=](u32 x) {
            return position > 31 || length == 0
                       ? 0
                       : static_cast<u32>((x >> position) & ((1ull << length) - 1));
          },
          value);
      check_opcode<u32>(
          fmt::format("bfe.s32 d, a, {}, {};", position, length),
          [=](u32 x) -> u32 {
            if (length == 0) return 0;
            const u32 top = x >> std::min(position + length - 1, 31u) & 1;
            u32 out = 0;
            for (u32 i = 0; i < 32; ++i)
              out |= (i < length && position + i < 32 ? x >> (position + i) & 1 : top) << i;
            return out;
          },
          value);
      check_opcode<u32>(
          fmt::format("bfi.b32 d, a, 0xa5a5a5a5, {}, {};", position, length),
          [=](u32 x) {
            u32 out = 0xa5a5a5a5;
            for (u32 i = 0; i < length && position + i < 32; ++i)
              out = (out & ~(1u << (position + i))) | (x >> i & 1) << (position + i);
            return out;
          },
          value);
    }
}

TEST_CASE("Bytes are permuted and multiplied as the PTX manual says", "[simulator][opcode]") {
  const std::vector<u32> a{0x33221180, 0x00ff7f80}, b{0x77665544, 0x81020304};
  check_opcode<u32>(
      "prmt.b32 d, a, b, 0x5410;", [](u32 x, u32 y) { return (x & 0xffff) | y << 16; }, a, b);
  check_opcode<u32>(
      "prmt.b32 d, a, b, 0x8888;", [](u32 x, u32) { return x & 0x80 ? ~0u : 0; }, a, b);
  const auto dot = [](auto x, auto y, int c, auto sx, auto sy) {
    for (int i = 0; i < 4; ++i) c += decltype(sx)(x >> 8 * i) * decltype(sy)(y >> 8 * i);
    return c;
  };
  check_opcode<i32>(
      "dp4a.s32.s32 d, a, b, 100;",
      [&](u32 x, u32 y) { return dot(x, y, 100, std::int8_t{}, std::int8_t{}); }, a, b);
  check_opcode<i32>(
      "dp4a.u32.s32 d, a, b, 100;",
      [&](u32 x, u32 y) { return dot(x, y, 100, std::uint8_t{}, std::int8_t{}); }, a, b);
}

TEST_CASE("Comparisons select by sign and width", "[simulator][opcode]") {
  const auto [a, b] = pairs(samples<i32>());
  const auto flag = [](const char* compare) {
    return fmt::format("setp.{} p, a, b;\nselp.u32 d, 1, 0, p;", compare);
  };
  check_opcode<u32>(
      flag("lt.s32"), [](i32 x, i32 y) { return u32{x < y}; }, a, b);
  check_opcode<u32>(
      flag("lt.u32"), [](i32 x, i32 y) { return u32{u32(x) < u32(y)}; }, a, b);
  check_opcode<u32>(
      flag("ge.s32"), [](i32 x, i32 y) { return u32{x >= y}; }, a, b);
  check_opcode<u32>(
      flag("hi.u32"), [](i32 x, i32 y) { return u32{u32(x) > u32(y)}; }, a, b);
  check_opcode<u32>(
      flag("ne.s32"), [](i32 x, i32 y) { return u32{x != y}; }, a, b);
  check_opcode<u32>(
      "setp.lt.s32 p|q, a, b;\nselp.u32 d, 1, 0, q;", [](i32 x, i32 y) { return u32{x >= y}; }, a,
      b);
  check_opcode<u32>(
      "setp.lt.s32 p, a, 0;\nsetp.lt.and.s32 q, b, 0, !p;\nselp.u32 d, 1, 0, q;",
      [](i32 x, i32 y) { return u32{y < 0 && x >= 0}; }, a, b);
  check_opcode<u32>(
      "set.lt.u32.s32 d, a, b;", [](i32 x, i32 y) { return x < y ? ~0u : 0; }, a, b);
  check_opcode<i32>(
      "slct.s32.s32 d, a, b, a;", [](i32 x, i32 y) { return x >= 0 ? x : y; }, a, b);
}

TEST_CASE("Predicated instructions touch only the lanes whose predicate holds",
          "[simulator][opcode]") {
  const auto a = samples<i32>();
  check_opcode<i32>(
      "mov.b32 d, 7;\nsetp.lt.s32 p, a, 0;\n@p add.s32 d, a, 1;",
      [](i32 x) { return x < 0 ? x + 1 : 7; }, a);
  check_opcode<i32>(
      "mov.b32 d, 7;\nsetp.lt.s32 p, a, 0;\n@!p add.s32 d, a, 1;",
      [](i32 x) { return x < 0 ? 7 : static_cast<i32>(u32(x) + 1); }, a);
}

TEST_CASE("Packing and unpacking move halves of registers", "[simulator][opcode]") {
  const auto [a, b] = pairs(samples<u32>());
  check_opcode<u64>(
      "mov.b64 d, {a, b};", [](u32 x, u32 y) { return u64{y} << 32 | x; }, a, b);
  check_opcode<u32>(
      "{ .reg .b64 t; .reg .b32 low; mov.b64 t, {a, b}; mov.b64 {low, d}, t; }",
      [](u32, u32 y) { return y; }, a, b);
  check_opcode<u32>(
      "{ .reg .b16 low, high; mov.b32 {low, high}, a; mov.b32 d, {high, low}; }",
      [](u32 x) { return x << 16 | x >> 16; }, a);
}

TEST_CASE("Special registers tell the sizes of shared memory; counters of the system stand still",
          "[simulator][opcode]") {
  Loaded device(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry sizes(.param .u64 out)\n{\n"
      ".reg .b32 %r<6>;\n.reg .b64 %rd<4>;\n.shared .align 4 .b8 own[100];\n"
      "ld.param.u64 %rd1, [out];\nmov.u32 %r1, own;\nst.shared.u32 [%r1], %r1;\n"
      "mov.u32 %r1, %total_smem_size;\nmov.u32 %r2, %aggr_smem_size;\nmov.u32 %r3, %pm0;\n"
      "mov.u64 %rd2, %current_graph_exec;\nmov.u64 %rd3, %pm7_64;\nmov.u32 %r4, %envreg31;\n"
      "st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};\n"
      "st.global.v2.u64 [%rd1+16], {%rd2, %rd3};\nret;\n}\n");
  const auto out = device.upload(std::vector<std::uint32_t>(8, 5));
  device.run("sizes", {1}, {1}, arguments(out), 50);
  // As an H100 answers: whole units of 128 bytes; and the bytes with the system's.
  CHECK(device.download<std::uint32_t>(out, 8) ==
        std::vector<std::uint32_t>{256, 1174, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("Whether a launch names a cluster is a predicate", "[simulator][opcode]") {
  check_opcode<std::uint32_t>(
      "mov.pred p, %is_explicit_cluster;\nselp.b32 d, 1, 2, p;", [](std::uint32_t) { return 2u; },
      std::vector<std::uint32_t>(40, 5));
}

}  // namespace integer_tests
