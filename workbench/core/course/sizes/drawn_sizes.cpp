// Drawn sizes: every extent in turn by every kind, the others by chance, within the range; then
// small ones by their remainders, and such as share extents.
#include "core/course/sizes/drawn_sizes.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "core/course/sizes/drawing.hpp"
#include "core/course/sizes/small_sizes.hpp"

namespace klab {
namespace {

/// A simulated element costs about a thousand times one on a GPU: a share of the size that the lab
/// simulates anyhow keeps the check within a second or two.
constexpr std::int64_t simulated_share = 8;

constexpr ExtentKind kinds[drawn_kind_count] = {ExtentKind::larger,
                                                ExtentKind::multiple_of_4096,
                                                ExtentKind::beside_tiles,
                                                ExtentKind::multiple_of_1024,
                                                ExtentKind::one,
                                                ExtentKind::multiple_of_32,
                                                ExtentKind::multiple_of_tiles,
                                                ExtentKind::largest};

/// What an extent of this kind is a multiple of.
std::int64_t unit_of(ExtentKind kind) {
  switch (kind) {
    case ExtentKind::multiple_of_4096:
      return 4096;
    case ExtentKind::multiple_of_1024:
      return 1024;
    case ExtentKind::multiple_of_32:
      return 32;
    case ExtentKind::multiple_of_tiles:
      return 3 * 5 * 7 << 5;
    default:
      return 1;
  }
}

/// `most` shared out so that the extent `first` gets what it asked for before the others; where it
/// is a multiple of something, of which there are short ones, several of the others find room.
Size draw(Drawing& drawing, const SizeRange& range, const Size& timed, ExtentKind kind,
          std::size_t first, std::int64_t most) {
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

/// In each dimension a last tile of a few elements, one that lacks a few, one that lacks one of as
/// large a power of two as there is room for, and one to three elements behind as large whole tiles
/// of three times such a power: behind large tiles the remainders of the small sizes below do not
/// show what a nearly empty one needs.
std::vector<Size> few_beside_tiles(Drawing& drawing, const SizeRange& range, std::int64_t most) {
  constexpr std::int64_t large_tile = 4096, largest_tile = 1 << 17, smallest_tile = 32;
  constexpr std::int64_t few = 15, vector_rest = 3, uneven_tile = 3 << 16;
  std::vector<Size> sizes;
  for (std::size_t i = 0; i < range.highest.size(); ++i)
    for (const auto& [tile, side, least_rest, most_rest] :
         {std::tuple{large_tile, 1, std::int64_t{2}, few},
          {large_tile, -1, 2, few},
          {largest_tile, -1, 1, 1},
          {uneven_tile, 1, 1, vector_rest}}) {
      Size size(range.lowest);
      std::int64_t high = most;
      for (std::size_t other = 0; other < size.size(); ++other) {
        if (other == i) continue;
        size[other] = std::clamp(enough, range.lowest[other], range.highest[other]);
        high /= size[other];
      }
      high = std::min(high, range.highest[i]) - few;
      if (high <= smallest_tile) continue;
      const auto rest = static_cast<int>(drawing.between(least_rest, most_rest));
      size[i] = drawing.beside(tile, side * rest, range.lowest[i], high);
      sizes.push_back(size);
    }
  return sizes;
}

/// Where a grid has as many blocks as a large device holds at once, or some times as many, and each
/// of them an unbroken piece of its own: a piece that is rounded up is a small part of all, but for
/// sizes that leave short ones. In each dimension, the others short; a simulated check has none.
std::vector<Size> short_pieces(Drawing& drawing, const SizeRange& range, std::int64_t most) {
  constexpr std::int64_t shortest = 1 << 19, longest = 1 << 22, at_once = 8;
  const auto dimensions = static_cast<std::int64_t>(range.highest.size());
  std::vector<Size> sizes;
  for (std::int64_t i = 0; i < at_once; ++i) {
    const auto dimension = static_cast<std::size_t>(i % dimensions);
    const std::int64_t high = std::min({longest, range.highest[dimension], most});
    if (high < shortest) continue;
    Size size(range.lowest);
    size[dimension] = drawing.between(shortest, high);
    if (element_count(size) <= most) sizes.push_back(size);
  }
  return sizes;
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
  for (const ExtentKind kind : kinds)
    for (std::size_t dimension = 0; dimension < range.highest.size(); ++dimension)
      sizes.push_back(draw(drawing, range, lab.sizes.timing, kind, dimension, most));
  Drawing apart(~seed);  // so that the others are drawn as on the simulator
  const auto of_a_large_grid = simulated ? std::vector<Size>() : short_pieces(apart, range, most);
  for (const auto& more :
       {remainders(drawing, range, most), beside_tiles(drawing, range, most),
        powers_of_two(range, most), few_beside_tiles(drawing, range, most), of_a_large_grid,
        one_less_in_a_row(drawing, range, most), narrow_ones(drawing, range, most),
        some_widths(drawing, range, most), badly_inverted(drawing, range, most),
        whole_tiles(drawing, range, most), relatives(drawing, range, most)})
    sizes.insert(sizes.end(), more.begin(), more.end());
  return sizes;
}

}  // namespace klab
