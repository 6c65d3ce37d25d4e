// Numbers for matrix instructions, drawn so that the order of addition, the width of the sum and
// the rounding show in the result. Everything follows from a seed, so that two machines compare.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace matrices {

using u64 = std::uint64_t;

struct Format {
  const char* name;
  int bits;           // in memory
  int exponent_bits;  // 0: an integer
  int fraction_bits;
  bool is_signed = true;
  int unread_bits = 0;  // below the fraction, which the hardware is not meant to read
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
};
inline constexpr Format f16{"f16", 16, 5, 10}, bf16{"bf16", 16, 8, 7}, f32{"f32", 32, 8, 23},
    tf32{"tf32", 32, 8, 23, true, 13}, f64{"f64", 64, 11, 52}, s8{"s8", 8, 0, 0},
    u8{"u8", 8, 0, 0, false}, s32{"s32", 32, 0, 0};

class Random {
 public:
  explicit Random(u64 seed) : state_(seed) {}
  u64 bits() {
    u64 z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }
  int between(int low, int high) {
    return low + static_cast<int>(bits() % static_cast<u64>(high - low + 1));
  }
  bool one_in(int n) { return bits() % static_cast<u64>(n) == 0; }

 private:
  u64 state_;
};

inline u64 seed_of(std::string_view text) {
  u64 hash = 0xcbf29ce484222325ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return hash;
}

enum class Kind { plain, spread, leading, cancel, ties, any, low, tiny, zeros, special };
inline constexpr const char* kind_names[] = {"plain", "spread", "leading", "cancel", "ties",
                                             "any",   "low",    "tiny",    "zeros",  "special"};
inline constexpr int kind_count = 10;

// A number of the format by its biased exponent; out of range it is clamped.
inline u64 compose(const Format& format, bool negative, int exponent, u64 fraction) {
  const int most = (1 << format.exponent_bits) - 2;
  const u64 field = static_cast<u64>(exponent < 0 ? 0 : exponent > most ? most : exponent);
  const u64 ones = (1ull << format.fraction_bits) - 1;
  return (negative ? 1ull << (format.bits - 1) : 0) | field << format.fraction_bits |
         (fraction & ones);
}

enum class Role { a, b, c };

struct Drawing {
  Kind kind;
  Role role;
  int leader;     // of the row (A) or column (B): the k of the one large product
  bool positive;  // no negative numbers
  bool half_low;  // B is small too
};

inline u64 draw_integer(const Format& format, const Drawing& how, Random& random) {
  const u64 bits = random.bits();
  const bool extreme = how.kind == Kind::leading;
  if (format.bits == 32) {
    const u64 edge = random.one_in(2) ? 0x7fffffff : 0x80000000;
    return (extreme ? edge ^ (bits & 0xffff) : bits) & 0xffffffff;
  }
  if (!extreme) return bits & 0xff;
  return format.is_signed ? (bits & 1 ? 0x80 : 0x7f) : (bits & 1 ? 0xff : 0xfe);
}

// One number; k is its place in the sum (0 for C).
inline u64 draw(const Format& format, const Drawing& how, int k, Random& random) {
  if (format.exponent_bits == 0) return draw_integer(format, how, random);
  const int bias = format.bias();
  const bool negative = !how.positive && random.one_in(2);
  const u64 fraction = random.bits();
  const auto around = [&](int low, int high) {
    return compose(format, negative, bias + random.between(low, high), fraction);
  };
  const bool c = how.role == Role::c;
  switch (how.kind) {
    case Kind::plain:
    case Kind::cancel:
      if (c && how.kind == Kind::cancel) return around(-26, -20);
      return around(-2, 2);
    case Kind::spread:
      return c ? around(-18, 18) : around(-9, 9);
    case Kind::leading:
      if (c) return around(-14, 12);
      return k == how.leader ? around(6, 6) : around(-7, -4);
    case Kind::ties:
      return compose(format, negative, bias + random.between(-4, 4),
                     fraction & 7ull << (format.fraction_bits - 3));
    case Kind::low:
      if (c)
        return random.one_in(2) ? 0 : compose(format, negative, random.between(0, 3), fraction);
      if (how.role == Role::b && !how.half_low) return around(-20, 0);
      return compose(format, negative, random.between(0, 8), fraction);
    case Kind::tiny: {
      // Products about the smallest result, and beside one of half of it many that are far below.
      const u64 few = static_cast<u64>(random.between(1, 3)),
                top = 1ull << (format.fraction_bits - 1);
      if (c) return random.one_in(2) ? 0 : compose(format, negative, 0, few);
      const bool half = format.exponent_bits == 5;
      if (half && k != how.leader) return compose(format, negative, 0, few);
      if (how.role == Role::a) return compose(format, negative, 1, !half && few > 2 ? top : 0);
      if (half) return compose(format, negative, 4, 0);
      const int least = format.exponent_bits == 8 ? -23 : -format.fraction_bits;
      return around(least - 12, least + 3) & ~((1ull << format.fraction_bits) - 1);
    }
    case Kind::zeros: {
      // Zeros of both signs beside the largest numbers and the smallest.
      if (random.one_in(2)) return compose(format, negative, 0, 0);
      if (c) return compose(format, negative, random.between(0, 12), fraction);
      return how.role == Role::b
                 ? compose(format, negative, 2 * bias - random.between(0, 1), fraction)
                 : compose(format, negative, 0, random.one_in(2) ? 0 : fraction);
    }
    case Kind::special:
      if (random.one_in(24))
        return compose(format, negative, 0, 0) |
               ((1ull << format.exponent_bits) - 1) << format.fraction_bits |
               (random.one_in(2) ? 0 : 1ull << (format.fraction_bits - 1));
      return around(-2, 2);
    case Kind::any:
      break;
  }
  return compose(format, negative, random.between(0, 2 * bias), fraction);
}

inline void put(std::vector<unsigned char>& out, const Format& format, std::size_t index,
                u64 value) {
  const std::size_t bytes = static_cast<std::size_t>(format.bits) / 8;
  std::memcpy(out.data() + index * bytes, &value, bytes);
}
inline u64 get(const std::vector<unsigned char>& from, const Format& format, std::size_t index) {
  const std::size_t bytes = static_cast<std::size_t>(format.bits) / 8;
  u64 value = 0;
  std::memcpy(&value, from.data() + index * bytes, bytes);
  return value;
}

struct Shape {
  int m, n, k;
};

// A as [m][k], B as [n][k], C and D as [m][n], one matrix after the other.
struct Operands {
  std::vector<unsigned char> a, b, c;
};

inline Operands draw_operands(const std::string& instruction, const Shape& shape, const Format& a,
                              const Format& b, const Format& c, Kind kind, int count) {
  Operands out;
  const auto bytes = [&](int rows, int columns, const Format& format) {
    return static_cast<std::size_t>(count) * rows * columns * format.bits / 8;
  };
  out.a.resize(bytes(shape.m, shape.k, a));
  out.b.resize(bytes(shape.n, shape.k, b));
  out.c.resize(bytes(shape.m, shape.n, c));
  Random random(seed_of(instruction + " " + kind_names[static_cast<int>(kind)]));
  for (int i = 0; i < count; ++i) {
    Drawing how{kind, Role::a, random.between(0, shape.k - 1), random.one_in(2), random.one_in(4)};
    if (kind != Kind::leading) how.positive = random.one_in(4);
    const auto fill = [&](std::vector<unsigned char>& to, const Format& format, Role role, int rows,
                          int columns) {
      how.role = role;
      const std::size_t first = static_cast<std::size_t>(i) * rows * columns;
      for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
          const std::size_t at = first + static_cast<std::size_t>(row) * columns + column;
          u64 value = draw(format, how, role == Role::c ? 0 : column, random);
          // Neighbouring products are opposite, or differ in the last place.
          if (kind == Kind::cancel && role != Role::c && column % 2 == 1) {
            value = get(to, format, at - 1);
            if (role == Role::b && format.exponent_bits > 0) {
              value ^= 1ull << (format.bits - 1);
              if (random.one_in(4)) value ^= 1ull << format.unread_bits;
            }
          }
          put(to, format, at, value);
        }
    };
    fill(out.a, a, Role::a, shape.m, shape.k);
    fill(out.b, b, Role::b, shape.n, shape.k);
    fill(out.c, c, Role::c, shape.m, shape.n);
  }
  return out;
}

}  // namespace matrices
