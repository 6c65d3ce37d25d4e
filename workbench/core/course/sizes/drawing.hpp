// Drawing: extents by chance, from a seed.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>

#include "core/course/lab.hpp"

namespace klab {

/// Whole tiles of 96, 192, 320, 448, 640, 768 and so on at once, as far as there is room.
inline constexpr std::int64_t all_tiles = std::int64_t{3 * 5 * 7} << 8;

/// What neighbours are wrongly made to share shows only where there are several.
inline constexpr std::int64_t enough = 5;

/// What is special about an extent.
enum class ExtentKind {
  multiple_of_4096,
  multiple_of_1024,
  multiple_of_32,
  beside_tiles,
  one,
  multiple_of_tiles,
  larger,
  largest
};

/// Numbers that follow from the seed alone.
class Drawing {
 public:
  explicit Drawing(std::uint64_t seed) : random_(seed) {}

  /// As likely between 10 and 100 as between 1,000 and 10,000.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    if (high <= low) return low;
    const double share = std::uniform_real_distribution<double>(0, 1)(random_);
    const double value = static_cast<double>(low) *
                         std::pow(static_cast<double>(high) / static_cast<double>(low), share);
    return std::clamp(static_cast<std::int64_t>(std::llround(value)), low, high);
  }

  std::array<std::int64_t, 4> order_of_four() {
    std::array<std::int64_t, 4> order = {0, 1, 2, 3};
    std::shuffle(order.begin(), order.end(), random_);
    return order;
  }

  /// An extent from `low` to `high` of that kind, or as near to it as they allow.
  std::int64_t extent(ExtentKind kind, std::int64_t low, std::int64_t high, std::int64_t timed) {
    switch (kind) {
      case ExtentKind::multiple_of_4096:
        return multiple(4096, low, high);
      case ExtentKind::multiple_of_1024:
        return uneven_multiple(1024, 4096, low, high);
      case ExtentKind::multiple_of_32:
        return uneven_multiple(32, 1024, low, high);
      case ExtentKind::beside_tiles:
        return beside(coin() ? 4096 : all_tiles, coin() ? 1 : -1, low, high);
      case ExtentKind::one:
        return low;
      case ExtentKind::larger:
        return timed < high ? between(timed + 1, high) : between(std::max(low, high / 2), high);
      case ExtentKind::largest:
        return high;
      case ExtentKind::multiple_of_tiles:
        return multiple(tile_multiple(high), low, high);
    }
    return between(low, high);
  }

  /// Where the last tile lacks one element (-1), or has no other (1).
  std::int64_t beside(std::int64_t tile, int side, std::int64_t low, std::int64_t high) {
    while (tile >= high && tile % 2 == 0) tile /= 2;
    if (tile >= high) return std::max(low, (between(low, high) - 1) | 1);
    return std::max(low, multiple(tile, tile, high - 1) + side);
  }

 private:
  bool coin() { return std::uniform_int_distribution<int>(0, 1)(random_) == 1; }

  static std::int64_t tile_multiple(std::int64_t high) {
    std::int64_t multiple = all_tiles;
    while (multiple > high && multiple % 2 == 0) multiple /= 2;
    return multiple;
  }

  std::int64_t multiple(std::int64_t of, std::int64_t low, std::int64_t high) {
    if (high < of) return between(low, high);
    return std::max(low, between(of, high) / of * of);
  }
  /// A multiple of `of` that is none of `whole`: a mistake at the former may be right at the
  /// latter.
  std::int64_t uneven_multiple(std::int64_t of, std::int64_t whole, std::int64_t low,
                               std::int64_t high) {
    const std::int64_t drawn = multiple(of, low, high);
    return drawn % whole == 0 && drawn - of >= low ? drawn - of : drawn;
  }

  std::mt19937_64 random_;
};

}  // namespace klab
