// Drawn sizes: every extent in turn by every kind, the others by chance, within the range; then
// small ones by their remainders, and such as share extents.
#include "core/course/sizes/drawn_sizes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>

namespace klab {
namespace {

/// A simulated element costs about a thousand times one on a GPU: a share of the size that the lab
/// simulates anyhow keeps the check within a second or two.
constexpr std::int64_t simulated_share = 8;

/// Whole tiles of 96, 192, 320, 448, 640, 768 and so on at once, as far as there is room.
constexpr std::int64_t all_tiles = std::int64_t{3 * 5 * 7} << 8;

enum class Kind {
  multiple_of_4096,
  multiple_of_1024,
  multiple_of_32,
  beside_tiles,
  one,
  multiple_of_tiles,
  larger,
  largest
};
constexpr Kind kinds[drawn_kind_count] = {
    Kind::larger, Kind::multiple_of_4096, Kind::beside_tiles,      Kind::multiple_of_1024,
    Kind::one,    Kind::multiple_of_32,   Kind::multiple_of_tiles, Kind::largest};

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
  std::int64_t extent(Kind kind, std::int64_t low, std::int64_t high, std::int64_t timed) {
    switch (kind) {
      case Kind::multiple_of_4096:
        return multiple(4096, low, high);
      case Kind::multiple_of_1024:
        return uneven_multiple(1024, 4096, low, high);
      case Kind::multiple_of_32:
        return uneven_multiple(32, 1024, low, high);
      case Kind::beside_tiles:
        return beside(coin() ? 4096 : all_tiles, coin() ? 1 : -1, low, high);
      case Kind::one:
        return low;
      case Kind::larger:
        return timed < high ? between(timed + 1, high) : between(std::max(low, high / 2), high);
      case Kind::largest:
        return high;
      case Kind::multiple_of_tiles:
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

/// What neighbours are wrongly made to share shows only where there are several.
constexpr std::int64_t enough = 5;

/// What an extent of this kind is a multiple of.
std::int64_t unit_of(Kind kind) {
  switch (kind) {
    case Kind::multiple_of_4096:
      return 4096;
    case Kind::multiple_of_1024:
      return 1024;
    case Kind::multiple_of_32:
      return 32;
    case Kind::multiple_of_tiles:
      return 3 * 5 * 7 << 5;
    default:
      return 1;
  }
}

/// `most` shared out so that the extent `first` gets what it asked for before the others; where it
/// is a multiple of something, of which there are short ones, several of the others find room.
Size draw(Drawing& drawing, const SizeRange& range, const Size& timed, Kind kind, std::size_t first,
          std::int64_t most) {
  Size size(range.lowest);
  const auto room = [&](std::size_t dimension) {
    std::int64_t others = 1;
    for (std::size_t i = 0; i < size.size(); ++i)
      if (i != dimension) others *= size[i];
    return std::max(range.lowest[dimension], std::min(range.highest[dimension], most / others));
  };
  std::int64_t high = room(first);
  if (unit_of(kind) > 1) {
    for (std::size_t i = 0; i < size.size(); ++i)
      if (i != first) size[i] = std::clamp(enough, range.lowest[i], range.highest[i]);
    if (room(first) >= unit_of(kind)) high = room(first);
    size = range.lowest;
  }
  size[first] = drawing.extent(kind, range.lowest[first], high, timed[first]);
  for (std::size_t step = 1; step < size.size(); ++step) {
    const std::size_t other = (first + step) % size.size();
    const std::int64_t several = std::min(room(other), std::max(range.lowest[other], enough));
    size[other] = drawing.between(several, room(other));
  }
  return size;
}

/// Right beside whole tiles on both sides, where there is one extent: of several, in which each
/// such size is that of many launches, one of these is drawn for each.
std::vector<Size> beside_tiles(Drawing& drawing, const SizeRange& range, std::int64_t most) {
  constexpr std::int64_t share = 8;
  if (range.highest.size() > 1) return {};
  std::vector<Size> sizes;
  for (const std::int64_t tile : {std::int64_t{4096}, all_tiles})
    for (const int beside : {-1, 1})
      sizes.push_back({drawing.beside(tile, beside, range.lowest[0],
                                      std::min(range.highest[0], most / share))});
  return sizes;
}

/// In each dimension all powers of two that there is room for, the others a short way of four; then
/// all extents at once: who finds a power by logarithms in float is one short at some, and a way of
/// its own for whole tiles on all sides may never be taken elsewhere.
std::vector<Size> powers_of_two(const SizeRange& range, std::int64_t most) {
  constexpr std::int64_t others = 4, least = 1 << 7, least_of_all = 1 << 4, largest = 1 << 20;
  const std::int64_t room = std::min(most / 2, largest);
  std::vector<Size> sizes;
  const auto add = [&](Size size) {
    for (std::size_t i = 0; i < size.size(); ++i)
      size[i] = std::clamp(size[i], range.lowest[i], range.highest[i]);
    if (element_count(size) <= room) sizes.push_back(std::move(size));
  };
  for (std::size_t i = 0; i < range.highest.size(); ++i)
    for (std::int64_t power = least; power <= std::min(room, range.highest[i]); power *= 2) {
      Size size(range.highest.size(), others);
      size[i] = power;
      add(std::move(size));
    }
  if (range.highest.size() > 1)
    for (std::int64_t power = least_of_all; power * power <= room; power *= 2)
      add(Size(range.highest.size(), power));
  return sizes;
}

/// In each dimension a last tile of a few elements, one that lacks a few, and one that lacks one of
/// as large a power of two as there is room for: behind large tiles the remainders of the small
/// sizes below do not show what a nearly empty one needs.
std::vector<Size> few_beside_tiles(Drawing& drawing, const SizeRange& range, std::int64_t most) {
  constexpr std::int64_t large_tile = 4096, largest_tile = 1 << 17, smallest_tile = 32;
  constexpr std::int64_t fewest = 2, few = 15;
  std::vector<Size> sizes;
  for (std::size_t i = 0; i < range.highest.size(); ++i)
    for (const auto& [tile, side, one] :
         {std::tuple{large_tile, 1, false}, {large_tile, -1, false}, {largest_tile, -1, true}}) {
      Size size(range.lowest);
      std::int64_t high = most;
      for (std::size_t other = 0; other < size.size(); ++other) {
        if (other == i) continue;
        size[other] = std::clamp(enough, range.lowest[other], range.highest[other]);
        high /= size[other];
      }
      high = std::min(high, range.highest[i]) - few;
      if (high <= smallest_tile) continue;
      const auto rest = one ? 1 : static_cast<int>(drawing.between(fewest, few));
      size[i] = drawing.beside(tile, side * rest, range.lowest[i], high);
      sizes.push_back(size);
    }
  return sizes;
}

/// Two sizes with an extent that differs by 2^16 alone: a key that packs extents into 16 bits each
/// takes one for the other.
std::vector<Size> twins(const SizeRange& range, std::int64_t most) {
  constexpr std::int64_t bits = 1 << 16, small = 5;
  for (std::size_t i = range.highest.size(); i-- > 0;) {
    Size size(range.lowest), twin(range.lowest);
    size[i] = std::clamp(small, range.lowest[i], range.highest[i]);
    twin[i] = size[i] + bits;
    if (twin[i] <= range.highest[i] && element_count(twin) <= most) return {size, twin};
  }
  return {};
}

/// Where there are two extents, the size with another first one and as large a sum of that and the
/// number of elements, if it is within the range: what is kept by such a sum takes one for the
/// other.
std::vector<Size> same_sum(const SizeRange& range, const Size& size) {
  if (size.size() != 2) return {};
  const Size same = {size[1] + 1, size[0] - 1};
  return range.holds(same) ? std::vector<Size>(1, same) : std::vector<Size>();
}

/// The same for a sum of the last extent and 31 times the one before it, as many a hash has it.
std::vector<Size> same_hash(const SizeRange& range, Size size) {
  constexpr std::int64_t factor = 31;
  if (size.size() < 2) return {};
  size.back() += factor;
  --size[size.size() - 2];
  return range.holds(size) ? std::vector<Size>(1, size) : std::vector<Size>();
}

/// Where there are two extents or more, two whose product lacks one of a multiple of 1,024, the
/// others as small as can be: what goes through all elements as if they stood in one row has a last
/// tile that lacks one.
std::vector<Size> one_less_in_a_row(Drawing& drawing, const SizeRange& range, std::int64_t most) {
  constexpr std::int64_t tile = 1024;
  Size size(range.lowest);
  if (size.size() < 2) return {};
  size[0] = drawing.between(1, 15) * 2 + 1;
  // The inverse of an odd number modulo a power of two (Newton's iteration doubles its bits).
  std::int64_t inverse = size[0];
  for (int bits = 3; bits < 10; bits *= 2) inverse = inverse * (2 - size[0] * inverse) % tile;
  size[1] = ((-inverse % tile) + tile) % tile;
  if (!range.holds(size) || element_count(size) > most) return {};
  return {size};
}

/// Where there are two extents, one from 1 to 4, for which there may be a way of its own, and the
/// other odd and long; and one of 1 beside longer and longer ones.
std::vector<Size> narrow_ones(Drawing& drawing, const SizeRange& range, std::int64_t most) {
  constexpr std::int64_t widest = 4, shortest = 129, longest = 257, longest_of_all = 4096;
  std::vector<Size> sizes;
  if (range.highest.size() != 2) return sizes;
  const auto add = [&](std::size_t i, std::int64_t width, std::int64_t length) {
    Size size(2, width);
    size[i] = length;
    if (range.holds(size) && element_count(size) <= most) sizes.push_back(size);
  };
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::int64_t width = 1; width <= widest; ++width)
      add(i, width, drawing.between(shortest, longest) | 1);
    for (std::int64_t length = longest; length < longest_of_all; length *= 2)
      add(i, 1, drawing.between(length, 2 * length));
  }
  return sizes;
}

/// Where there are two extents, every fourth width up to a warp's, beside some of the other one:
/// there may be a way of its own for one width alone, which one check of four meets.
std::vector<Size> some_widths(Drawing& drawing, const SizeRange& range, std::int64_t most) {
  constexpr std::int64_t narrowest = 5, widest = 32, shortest = 257, longest = 513;
  std::vector<Size> sizes;
  if (range.highest.size() != 2) return sizes;
  constexpr std::int64_t step = 4;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::int64_t width = drawing.between(narrowest, narrowest + step - 1); width <= widest;
         width += step) {
      Size size(2, width);
      size[i] = drawing.between(shortest, longest) | 1;
      if (range.holds(size) && element_count(size) <= most) sizes.push_back(size);
    }
  return sizes;
}

/// Small sizes of which each has all extents but one from the one before, one with as many elements
/// and two with as large a sum: what is kept by a part of the size is of the wrong size at the
/// next.
std::vector<Size> relatives(Drawing& drawing, const SizeRange& range, std::int64_t most) {
  constexpr std::int64_t smallest = 5, largest = 40;
  const std::size_t dimensions = range.highest.size();
  if (dimensions < 2 || std::pow(largest, dimensions) > static_cast<double>(most)) return {};
  const auto drawn = [&](std::size_t i) {
    const std::int64_t high = std::min(range.highest[i], largest);
    return drawing.between(std::min(high, smallest), high);
  };
  Size size(range.lowest);
  for (std::size_t i = 0; i < dimensions; ++i) size[i] = std::max(range.lowest[i], drawn(i));
  std::vector<Size> sizes = same_hash(range, size);
  sizes.push_back(size);
  for (std::size_t i = 0; i < dimensions; ++i) {
    const std::int64_t before = size[i];
    // Backwards the last one has to be another, and that has to have another of its sum.
    const auto tells_nothing = [&] {
      const std::int64_t more = size.back() - size.front();
      return size[i] == before || (i + 1 == dimensions && (more == 0 || more == 1));
    };
    size[i] = std::max(range.lowest[i], drawn(i));
    const std::int64_t step = size[i] + 3 <= range.highest[i] ? 1 : -1;
    for (int tries = 0; tries < 3 && tells_nothing(); ++tries) size[i] += step;
    sizes.push_back(size);
  }
  std::reverse(size.begin(), size.end());
  for (std::size_t i = 0; i < dimensions; ++i)
    size[i] = std::clamp(size[i], range.lowest[i], range.highest[i]);
  sizes.push_back(size);
  for (const Size& same : same_sum(range, size)) sizes.push_back(same);
  for (const Size& twin : twins(range, most)) sizes.push_back(twin);
  return sizes;
}

/// What lies below a remainder of 16. One element less or more than whole tiles comes with the
/// tiles of all powers of two that there is room for.
std::int64_t whole_below(Drawing& drawing, std::int64_t remainder, std::int64_t high) {
  constexpr std::int64_t modulus = 16;
  const auto tile = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(high)));
  if (remainder == modulus - 1) return tile - modulus;
  if (remainder == 1) return tile < high ? tile : tile / 2;
  return drawing.between(1, high / modulus - 1) * modulus;
}

/// Small sizes that leave each remainder of 16 in every dimension, and each pair of remainders of 4
/// in two: what has a way of its own for each alignment takes all of them.
std::vector<Size> remainders(Drawing& drawing, const SizeRange& range, std::int64_t most) {
  constexpr std::int64_t modulus = 16;
  const std::size_t dimensions = range.highest.size();
  // Which remainders of 16 meet is drawn, so that in some check any two of them do.
  std::array<std::array<std::int64_t, 4>, 4> rows, columns;
  for (auto* orders : {&rows, &columns})
    for (auto& order : *orders) order = drawing.order_of_four();
  const std::int64_t longest = dimensions == 1 ? 4096 : 512;
  std::vector<Size> sizes;
  for (std::int64_t a = 0; a < 4; ++a)
    for (std::int64_t b = 0; b < 4; ++b) {
      const std::int64_t remainder[] = {a + 4 * rows[a][b], b + 4 * columns[b][a],
                                        (a + b) % 4 + (a + 2 * b) % 4 * 4};
      Size size(range.lowest);
      std::int64_t left = most;
      for (std::size_t step = 0; step < dimensions; ++step) {
        // Which one is long takes turns; the others keep room for every remainder if there is any.
        const std::size_t i = (step + sizes.size()) % dimensions;
        for (std::size_t other = step + 1; other < dimensions; ++other) left /= modulus;
        const std::int64_t high = std::min(left, longest);
        const std::int64_t whole = high < 2 * modulus
                                       ? high / modulus * (remainder[i % 3] == 0) * modulus
                                       : whole_below(drawing, remainder[i % 3], high);
        size[i] =
            std::clamp(std::min(whole + remainder[i % 3], high), range.lowest[i], range.highest[i]);
        left = most;
        for (const std::int64_t extent : size) left /= std::max<std::int64_t>(extent, 1);
      }
      sizes.push_back(size);
    }
  return sizes;
}

}  // namespace

std::int64_t element_count(const Size& size) {
  std::int64_t product = 1;
  for (const std::int64_t extent : size)
    if (__builtin_mul_overflow(product, extent, &product))
      return std::numeric_limits<std::int64_t>::max();
  return product;
}

std::int64_t most_drawn_elements(const Lab& lab, bool simulated) {
  if (!lab.sizes.drawn) return 0;
  const SizeRange& range = *lab.sizes.drawn;
  if (!simulated) return range.most_elements;
  return std::min(range.most_elements,
                  range.most_simulated_elements.value_or(std::max<std::int64_t>(
                      element_count(lab.sizes.large(true)) / simulated_share, 1)));
}

std::vector<Size> drawn_sizes(const Lab& lab, std::uint64_t seed, bool simulated) {
  if (!lab.sizes.drawn) return {};
  const SizeRange& range = *lab.sizes.drawn;
  const std::int64_t most = most_drawn_elements(lab, simulated);
  Drawing drawing(seed);
  std::vector<Size> sizes;
  for (const Kind kind : kinds)
    for (std::size_t dimension = 0; dimension < range.highest.size(); ++dimension)
      sizes.push_back(draw(drawing, range, lab.sizes.timing, kind, dimension, most));
  for (const auto& more :
       {remainders(drawing, range, most), beside_tiles(drawing, range, most),
        powers_of_two(range, most), few_beside_tiles(drawing, range, most),
        one_less_in_a_row(drawing, range, most), narrow_ones(drawing, range, most),
        some_widths(drawing, range, most), relatives(drawing, range, most)})
    sizes.insert(sizes.end(), more.begin(), more.end());
  return sizes;
}

}  // namespace klab
