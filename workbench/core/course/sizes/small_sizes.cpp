// By remainders, by widths, and by what they share with the one before.
#include "core/course/sizes/small_sizes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/course/sizes/drawn_sizes.hpp"

namespace klab {
namespace {

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

/// What lies below a remainder of 16. One element less or more than whole tiles comes with the
/// tiles of all powers of two that there is room for.
std::int64_t whole_below(Drawing& drawing, std::int64_t remainder, std::int64_t high) {
  constexpr std::int64_t modulus = 16;
  const auto tile = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(high)));
  if (remainder == modulus - 1) return tile - modulus;
  if (remainder == 1) return tile < high ? tile : tile / 2;
  return drawing.between(1, high / modulus - 1) * modulus;
}

}  // namespace

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

std::vector<Size> narrow_ones(Drawing& drawing, const SizeRange& range, std::int64_t most) {
  constexpr std::int64_t widest = 4, shortest = 129, longest = 257, longest_of_all = 4096;
  std::vector<Size> sizes;
  for (std::size_t i = 0; range.highest.size() > 2 && i < range.highest.size(); ++i) {
    Size size(range.lowest);
    size[i] = drawing.between(longest_of_all / 2, longest_of_all);
    if (range.holds(size) && element_count(size) <= most) sizes.push_back(size);
  }
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

std::vector<Size> some_widths(Drawing& drawing, const SizeRange& range, std::int64_t most) {
  constexpr std::int64_t narrowest = 5, widest = 32, shortest = 257, longest = 513;
  std::vector<Size> sizes;
  if (range.highest.size() != 2) return sizes;
  constexpr std::int64_t step = 4;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::int64_t width = narrowest + drawing.order_of_four().front(); width <= widest;
         width += step) {
      Size size(2, width);
      size[i] = drawing.between(shortest, longest) | 1;
      if (range.holds(size) && element_count(size) <= most) sizes.push_back(size);
    }
  return sizes;
}

std::vector<Size> badly_inverted(Drawing& drawing, const SizeRange& range, std::int64_t most) {
  constexpr std::int64_t in_float = 41, in_double = 49, shortest = 17, longest = 65;
  std::vector<Size> sizes;
  for (std::size_t i = 0; range.highest.size() > 1 && i < range.highest.size(); ++i)
    for (const std::int64_t badly : {in_float, in_double}) {
      Size size(range.highest.size());
      for (std::int64_t& extent : size) extent = drawing.between(shortest, longest) | 1;
      size[i] = badly;
      if (range.holds(size) && element_count(size) <= most) sizes.push_back(size);
    }
  return sizes;
}

std::vector<Size> whole_tiles(Drawing& drawing, const SizeRange& range, std::int64_t most) {
  constexpr std::int64_t shortest = 33, longest = 130, most_tiles = 5, warp = 32, tile = 64;
  const std::size_t dimensions = range.highest.size();
  std::vector<Size> sizes;
  const auto add = [&](const Size& size) {
    if (range.holds(size) && element_count(size) <= most) sizes.push_back(size);
  };
  for (std::size_t i = 0; dimensions > 1 && i < dimensions; ++i) {
    for (const std::int64_t three : {3 * warp, 3 * tile}) {
      Size size(dimensions);
      for (std::int64_t& extent : size) extent = drawing.between(shortest, longest);
      size[i] = three * (drawing.between(1, most_tiles) | 1);
      add(size);
    }
    Size size(dimensions);
    for (std::int64_t& extent : size) extent = tile * drawing.between(1, 2);
    size[i] = warp * (drawing.between(3, most_tiles) | 1);
    add(size);
  }
  return sizes;
}

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

}  // namespace klab
