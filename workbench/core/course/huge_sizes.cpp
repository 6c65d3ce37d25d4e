// Huge sizes: the lab's, and both sides of where integers of 32 bits end.
#include "core/course/huge_sizes.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <random>

#include "core/course/drawn_sizes.hpp"

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
  return sizes;
}

}  // namespace klab
