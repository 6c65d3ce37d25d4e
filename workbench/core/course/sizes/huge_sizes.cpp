// Huge sizes: the lab's, and both sides of where integers of 32 bits end.
#include "core/course/sizes/huge_sizes.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <random>

#include "core/course/sizes/drawn_sizes.hpp"

namespace klab {
namespace {

constexpr std::int64_t end_of_int = std::int64_t{1} << 31, end_of_unsigned = std::int64_t{1} << 32;

/// The first of the sizes with an extent between these, with that one right below `end` instead.
struct Below {
  std::size_t position;
  Size size;
};
std::optional<Below> right_below(std::int64_t end, std::int64_t least, std::int64_t most,
                                 const std::vector<Size>& sizes, std::uint64_t seed) {
  constexpr std::int64_t block = 256;
  for (std::size_t position = 0; position < sizes.size(); ++position)
    for (std::size_t i = 0; i < sizes[position].size(); ++i) {
      if (sizes[position][i] < least || sizes[position][i] > most) continue;
      Below below{position, sizes[position]};
      below.size[i] = end - 1 - static_cast<std::int64_t>(seed % (block - 1));
      return below;
    }
  return std::nullopt;
}

/// Elements of the whole tiles that are in use, of 1,024 times 3, 5 and 7 too.
constexpr std::int64_t large_tiles = std::int64_t{3 * 5 * 7} << 13;

/// By turns as it is, with no rest of a vector anywhere, or of a row of a tile, and where one
/// extent is as long, one more than whole tiles: what goes in vectors has a way of its own where
/// nothing is left over, and who divides in float has one tile too few. On the same side of 2^32.
Size varied(const Size& size, std::uint64_t seed) {
  constexpr std::int64_t narrow = 4, wide = 1024, row = 128, vector = 4;
  constexpr std::int64_t largest_grid = 65'535;  // in y and z: it may be the most that there is
  const auto up = [](std::int64_t extent, std::int64_t unit) {
    return (extent + unit - 1) / unit * unit;
  };
  Size other = size;
  for (std::int64_t& extent : other)
    if (seed % 3 == 1 && extent > narrow && extent != largest_grid)
      extent = up(extent, extent >= wide && seed / 3 % 2 == 0 ? row : vector);
    else if (seed % 3 == 2 && extent > end_of_int)
      extent = up(extent, large_tiles) + 1;
  const auto is_beyond = [](const Size& one) { return element_count(one) >= end_of_unsigned; };
  return is_beyond(size) == is_beyond(other) ? other : size;
}

}  // namespace

std::vector<Size> sizes_to_try_in_part(const Lab& lab, std::uint64_t seed) {
  constexpr std::size_t some = 2;
  std::vector<Size> sizes = drawn_sizes(lab, seed, false);
  std::erase_if(sizes, [most = most_drawn_elements(lab, true)](const Size& size) {
    const std::int64_t elements = element_count(size);
    return elements <= most || elements >= end_of_int;
  });
  std::mt19937_64 random(seed);
  std::shuffle(sizes.begin(), sizes.end(), random);
  if (sizes.size() > some) sizes.resize(some);
  return sizes;
}

std::vector<Size> huge_sizes(const Lab& lab, std::uint64_t seed) {
  constexpr std::int64_t near = 4096;
  std::vector<Size> sizes = lab.sizes.huge;
  const auto below_unsigned = right_below(end_of_unsigned, end_of_unsigned,
                                          std::numeric_limits<std::int64_t>::max(), sizes, seed);
  // Where there is time for few, both sides of 2^31 are among them.
  if (auto below = right_below(end_of_int, end_of_int, end_of_int + near, sizes, seed))
    sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(below->position) + 1, below->size);
  if (below_unsigned) sizes.push_back(below_unsigned->size);
  // What lies at an end of 32 bits stays there.
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (i == 0 || *std::max_element(sizes[i].begin(), sizes[i].end()) < end_of_int - near)
      sizes[i] = varied(sizes[i], seed + i);
  return sizes;
}

}  // namespace klab
