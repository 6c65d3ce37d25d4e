// Carry chains against the CPU's wider arithmetic.
#include <fmt/format.h>

#include <random>

#include "simulator/opcodes/harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace carry_tests {
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

namespace {

/// The carry flag as the hardware's adder has it.
struct Flag {
  bool carry = false;

  template <class T>
  T add(T a, T b, bool in, bool leaves) {
    const Wide sum = Wide{a} + b + in;
    if (leaves) carry = (sum >> (8 * sizeof(T))) != 0;
    return static_cast<T>(sum);
  }
};

/// A chain of random carry instructions on words of type T: its text, and what it computes.
template <class T>
struct Chain {
  struct Step {
    unsigned kind, a, b, c;  // registers w0 ... w7
    bool leaves;
  };
  std::vector<Step> steps;

  explicit Chain(unsigned seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < 24; ++i)
      steps.push_back({i == 0 ? 0 : static_cast<unsigned>(random() % 8),
                       static_cast<unsigned>(random() % 8), static_cast<unsigned>(random() % 8),
                       static_cast<unsigned>(random() % 8), i == 0 || random() % 4 != 0});
  }

  static constexpr int bits = 8 * sizeof(T);

  /// Mixes a and b into eight words, runs the chain, folds the words into d.
  std::string text() const {
    std::string out = fmt::format("{{.reg .b{} w<8>;\n", bits);
    for (int i = 0; i < 8; ++i)
      out += fmt::format("{}.b{} w{}, {}, {};\n", i % 2 != 0 ? "xor" : "and", bits, i,
                         i % 3 != 0 ? "a" : "b", i % 4 < 2 ? "b" : "a");
    static constexpr const char* names[] = {"add.cc",    "addc",    "sub.cc",  "subc",
                                            "mad.lo.cc", "madc.lo", "madc.hi", "mad.hi.cc"};
    for (const Step& s : steps) {
      const std::string name = names[s.kind];
      const bool first = name.ends_with(".cc");
      out += fmt::format("{}{}.u{} w{}, w{}, w{}", name, !first && s.leaves ? ".cc" : "", bits, s.a,
                         s.b, s.c);
      out += s.kind >= 4 ? fmt::format(", w{};\n", s.a) : ";\n";
    }
    out += fmt::format("mov.b{} d, w0;\n", bits);
    for (int i = 1; i < 8; ++i)
      out += fmt::format("shf.l.wrap.b32 d, d, d, 5;\nxor.b32 d, d, w{};\n", i);
    return out + "}";
  }

  T result(T a, T b) const {
    T w[8];
    for (int i = 0; i < 8; ++i) {
      const T x = i % 3 != 0 ? a : b, y = i % 4 < 2 ? b : a;
      w[i] = i % 2 != 0 ? x ^ y : x & y;
    }
    Flag flag;
    for (const Step& s : steps) {
      const Wide product = Wide{w[s.b]} * w[s.c];
      const T low = static_cast<T>(product), high = static_cast<T>(product >> bits);
      const T c = w[s.a];
      switch (s.kind) {
        case 0:
          w[s.a] = flag.add<T>(w[s.b], w[s.c], false, true);
          break;
        case 1:
          w[s.a] = flag.add<T>(w[s.b], w[s.c], flag.carry, s.leaves);
          break;
        case 2:
          w[s.a] = flag.add<T>(w[s.b], ~w[s.c], true, true);
          break;
        case 3:
          w[s.a] = flag.add<T>(w[s.b], ~w[s.c], flag.carry, s.leaves);
          break;
        case 4:
          w[s.a] = flag.add<T>(low, c, false, true);
          break;
        case 5:
          w[s.a] = flag.add<T>(low, c, flag.carry, s.leaves);
          break;
        case 6:
          w[s.a] = flag.add<T>(high, c, flag.carry, s.leaves);
          break;
        case 7:
          w[s.a] = flag.add<T>(high, c, false, true);
          break;
      }
    }
    T d = w[0];
    for (int i = 1; i < 8; ++i) d = static_cast<T>((d << 5 | d >> (bits - 5)) ^ w[i]);
    return d;
  }
};

}  // namespace

TEST_CASE("Any chain of sums, differences and products carries as the adder does",
          "[simulator][opcode]") {
  const auto [a, b] = pairs(wide_values());
  for (unsigned seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    const Chain<u32> chain(seed);
    std::vector<u32> x, y;
    for (const u64 v : a) x.push_back(static_cast<u32>(v ^ v >> 32));
    for (const u64 v : b) y.push_back(static_cast<u32>(v));
    check_opcode<u32>(
        chain.text(), [&](u32 p, u32 q) { return chain.result(p, q); }, x, y);
  }
}

TEST_CASE("A difference leaves a carry where it borrows nothing", "[simulator][opcode]") {
  const auto [a, b] = pairs(wide_values());
  check_opcode<u64>(
      "sub.cc.u64 d, a, b;\naddc.u64 d, 0, 0;", [](u64 x, u64 y) { return u64{x >= y}; }, a, b);
  check_opcode<u64>(
      "sub.cc.u64 d, a, b;\nmadc.lo.u64 d, a, b, 3;",
      [](u64 x, u64 y) { return x * y + 3 + (x >= y ? 1 : 0); }, a, b);
  check_opcode<u64>(
      "add.cc.u64 d, a, b;\nsubc.u64 d, a, b;",
      [](u64 x, u64 y) { return x - y - (x + y < x ? 0 : 1); }, a, b);
}

TEST_CASE("Numbers of 128 bits are divided right", "[simulator][opcode]") {
  const auto ptx = compile_to_ptx(R"(
__global__ void divide(const unsigned __int128* a, const unsigned __int128* b, unsigned __int128* q,
                       unsigned __int128* r, __int128* s) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  q[i] = a[i] / b[i];
  r[i] = a[i] % b[i];
  s[i] = static_cast<__int128>(a[i]) / static_cast<__int128>(b[i]);
}
)");
  if (!ptx) SKIP("nvcc is not installed");
  Loaded device(*ptx);
  constexpr std::size_t n = 4096;
  std::mt19937_64 random(11);
  std::vector<Wide> a(n), b(n);
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = (Wide{random()} << 64 | random()) >> random() % 128;
    b[i] = std::max<Wide>((Wide{random()} << 64 | random()) >> random() % 128, 1);
    if (i % 16 == 0) a[i] = ~Wide{0} >> random() % 128;
    if (i % 16 == 1) b[i] = Wide{1} << random() % 127;
    if (i % 16 == 2) a[i] = b[i] * (a[i] >> 64) - 1;
  }
  const auto from_a = device.upload(a), from_b = device.upload(b);
  const auto q = device.zeros<Wide>(n), r = device.zeros<Wide>(n), s = device.zeros<Wide>(n);
  device.run("divide", {n / 128}, {128}, arguments(from_a, from_b, q, r, s));
  const auto quotient = device.download<Wide>(q, n), rest = device.download<Wide>(r, n),
             signed_quotient = device.download<Wide>(s, n);
  int wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    __extension__ using Signed = __int128;
    const auto expected = static_cast<Wide>(static_cast<Signed>(a[i]) / static_cast<Signed>(b[i]));
    wrong += quotient[i] != a[i] / b[i] || rest[i] != a[i] % b[i] || signed_quotient[i] != expected;
  }
  CHECK(wrong == 0);
}

}  // namespace carry_tests
