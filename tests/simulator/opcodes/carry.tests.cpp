// Carry chains against the CPU's wider arithmetic.
#include <random>

#include "simulator/opcodes/harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace {

__extension__ using Wide = unsigned __int128;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

/// Ends of the range, values whose halves carry, and random ones.
std::vector<u64> wide_values() {
  std::vector<u64> values{0, 1, 0xffffffff, 0x100000000, ~0ull, ~0ull - 1, 1ull << 63, 0x7fffffff};
  std::mt19937_64 random(7);
  while (values.size() < 20) values.push_back(random());
  return values;
}

/// `body` between halves: al ah bl bh are those of a and b, dl and dh become d.
std::string by_halves(const std::string& body) {
  return "{.reg .b32 al, ah, bl, bh, dl, dh;\nmov.b64 {al, ah}, a;\nmov.b64 {bl, bh}, b;\n" + body +
         "mov.b64 d, {dl, dh};}";
}

}  // namespace

TEST_CASE("Sums and differences carry from one word to the next", "[simulator][opcode]") {
  const auto [a, b] = pairs(wide_values());
  check_opcode<u64>(
      by_halves("add.cc.u32 dl, al, bl;\naddc.u32 dh, ah, bh;\n"),
      [](u64 x, u64 y) { return x + y; }, a, b);
  check_opcode<u64>(
      by_halves("sub.cc.u32 dl, al, bl;\nsubc.u32 dh, ah, bh;\n"),
      [](u64 x, u64 y) { return x - y; }, a, b);
  check_opcode<u64>(
      by_halves("add.cc.s32 dl, al, bl;\naddc.cc.s32 dh, ah, bh;\naddc.u32 dl, 0, 0;\n"),
      [](u64 x, u64 y) { return (x + y) >> 32 << 32 | static_cast<u64>((Wide{x} + y) >> 64); }, a,
      b);
  check_opcode<u64>(
      "add.cc.u64 d, a, b;\naddc.u64 d, 0, 0;",
      [](u64 x, u64 y) { return static_cast<u64>((Wide{x} + y) >> 64); }, a, b);
  // What is left of 0 - 0 - borrow.
  check_opcode<u64>(
      "sub.cc.u64 d, a, b;\nsubc.cc.u64 d, 0, 0;\nsubc.u64 d, 5, 0;",
      [](u64 x, u64 y) { return x < y ? u64{4} : u64{5}; }, a, b);
}

TEST_CASE("A carry stays until the next instruction that leaves one", "[simulator][opcode]") {
  const auto [a, b] = pairs(wide_values());
  check_opcode<u64>(
      "add.cc.u64 d, a, b;\nadd.u64 d, a, 1;\naddc.u64 d, d, 0;",
      [](u64 x, u64 y) { return x + 1 + (x + y < x ? 1 : 0); }, a, b);
}

TEST_CASE("Products are summed over words", "[simulator][opcode]") {
  const auto [a, b] = pairs(wide_values());
  // The low words' product, plus a.
  check_opcode<u64>(
      by_halves("mad.lo.cc.u32 dl, al, bl, al;\nmadc.hi.u32 dh, al, bl, ah;\n"),
      [](u64 x, u64 y) { return u64{static_cast<u32>(x)} * static_cast<u32>(y) + x; }, a, b);
  check_opcode<u64>(
      "mad.lo.cc.u64 d, a, b, b;\nmadc.hi.u64 d, a, b, a;",
      [](u64 x, u64 y) {
        const Wide product = Wide{x} * y;
        const Wide low = Wide{static_cast<u64>(product)} + y;
        return static_cast<u64>(product >> 64) + x + static_cast<u64>(low >> 64);
      },
      a, b);
  check_opcode<u64>(
      by_halves("mad.hi.cc.s32 dl, al, bl, ah;\nmadc.lo.s32 dh, ah, bh, 0;\n"),
      [](u64 x, u64 y) {
        const i64 product = i64{static_cast<i32>(x)} * static_cast<i32>(y);
        const u64 sum = u64{static_cast<u32>(product >> 32)} + static_cast<u32>(x >> 32);
        const u32 high =
            static_cast<u32>(x >> 32) * static_cast<u32>(y >> 32) + static_cast<u32>(sum >> 32);
        return u64{high} << 32 | static_cast<u32>(sum);
      },
      a, b);
}
