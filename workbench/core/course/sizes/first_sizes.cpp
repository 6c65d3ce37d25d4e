// First sizes: one extent at a time, longer and longer.
#include "core/course/sizes/first_sizes.hpp"

#include <algorithm>
#include <random>

#include "core/course/sizes/drawn_sizes.hpp"

namespace klab {

std::vector<Size> first_sizes(const Lab& lab, std::uint64_t seed) {
  if (!lab.sizes.drawn || lab.sizes.drawn->lowest.size() < 2) return {};
  constexpr std::int64_t shortest = 17, step = 16;
  const SizeRange& range = *lab.sizes.drawn;
  std::mt19937_64 random(seed);
  std::vector<Size> sizes{range.lowest};
  std::int64_t least = shortest;
  for (std::size_t i = range.lowest.size(); i-- > 0; least += step) {
    Size size = range.lowest;
    const std::int64_t extent =
        std::uniform_int_distribution<std::int64_t>(least, least + step - 1)(random);
    size[i] = std::clamp(extent, range.lowest[i], range.highest[i]);
    sizes.push_back(size);
  }
  return sizes;
}

std::vector<Size> checked_sizes(const Lab& lab, std::uint64_t seed, bool simulated) {
  std::vector<Size> all = first_sizes(lab, seed);
  for (const auto& sizes : {lab.sizes.checking, drawn_sizes(lab, seed, simulated)})
    all.insert(all.end(), sizes.begin(), sizes.end());
  return all;
}

std::vector<Size> looked_sizes(const Lab& lab) {
  std::vector<Size> all = lab.sizes.checking;
  if (!lab.sizes.drawn) return all;
  constexpr std::int64_t long_one = 200, short_one = 3;
  const SizeRange& range = *lab.sizes.drawn;
  for (std::size_t i = 0; i < range.lowest.size(); ++i) {
    Size size(range.lowest.size(), short_one);
    size[i] = long_one;
    for (std::size_t k = 0; k < size.size(); ++k)
      size[k] = std::clamp(size[k], range.lowest[k], range.highest[k]);
    all.push_back(size);
  }
  return all;
}

}  // namespace klab
