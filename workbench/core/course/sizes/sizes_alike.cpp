// Sizes alike: one is drawn, the others follow from it.
#include "core/course/sizes/sizes_alike.hpp"

#include <algorithm>
#include <random>

namespace klab {
namespace {

/// One more than whole tiles of 4 in every extent, and of 16 where there is but one: up to three
/// more fill no other tile.
Size first_of(std::mt19937_64& random, std::size_t dimensions) {
  const std::int64_t tile = dimensions == 1 ? 16 : 4, most = dimensions == 1 ? 60 : 8;
  Size size(dimensions);
  for (std::int64_t& extent : size)
    extent = std::uniform_int_distribution<std::int64_t>(2, most)(random) * tile + 1;
  return size;
}

/// With more in one extent: as many tiles, and not as many elements.
void more_in_each(const Size& first, std::vector<Size>& sizes) {
  for (std::size_t i = 0; i < first.size(); ++i)
    for (const std::int64_t more : {1, 2}) {
      Size size = first;
      size[i] += more;
      sizes.push_back(size);
      sizes.push_back(first);
    }
}

/// With as many elements: exchanged, and half of one extent and twice another.
void with_as_many(const Size& first, std::vector<Size>& sizes) {
  for (std::size_t i = 0; i + 1 < first.size(); ++i) {
    Size size = first;
    ++size[i];
    sizes.push_back(size);
    std::swap(size[i], size[i + 1]);
    sizes.push_back(size);
    size[i] *= 2;
    size[i + 1] /= 2;
    sizes.push_back(size);
  }
}

/// With as large a sum.
void with_the_sum(const Size& first, std::vector<Size>& sizes) {
  for (std::size_t i = 0; i + 1 < first.size(); ++i) {
    Size size = first;
    sizes.push_back(size);
    ++size[i];
    --size[i + 1];
    sizes.push_back(size);
  }
}

/// With as many pieces of 1,024 elements, several of them: the fewest elements that have so many,
/// and the most. What is worked out for each piece is another list where rows, or whatever the last
/// extent is the length of, begin elsewhere.
void with_the_pieces(std::mt19937_64& random, std::size_t dimensions, std::vector<Size>& sizes) {
  constexpr std::int64_t piece = 1024, others = 9;
  const auto pieces = std::uniform_int_distribution<std::int64_t>(4, 7)(random);
  std::int64_t rows = 1;
  for (std::size_t i = 1; i < dimensions; ++i) rows *= others;
  Size fewest(dimensions, others), most(dimensions, others);
  fewest.back() = ((pieces - 1) * piece + rows) / rows;
  most.back() = pieces * piece / rows;
  sizes.insert(sizes.end(), {fewest, most, fewest});
}

/// Of whole vectors in every extent, with one tile more in each: what is kept for rows that begin
/// on 16 bytes alone, such as a tensor map, is kept for these.
void in_whole_vectors(std::mt19937_64& random, std::size_t dimensions, std::vector<Size>& sizes) {
  constexpr std::int64_t tile = 16;
  Size first(dimensions);
  for (std::int64_t& extent : first)
    extent = std::uniform_int_distribution<std::int64_t>(2, 5)(random) * tile;
  for (std::int64_t& extent : first) {
    sizes.push_back(first);
    extent += tile;
    sizes.push_back(first);
    extent -= tile;
  }
}

}  // namespace

std::vector<Size> sizes_alike(const Lab& lab, std::uint64_t seed) {
  if (!lab.sizes.drawn) return {};
  const SizeRange& range = *lab.sizes.drawn;
  std::mt19937_64 random(seed);
  const Size first = first_of(random, range.highest.size());
  std::vector<Size> sizes = {first};
  more_in_each(first, sizes);
  with_as_many(first, sizes);
  with_the_sum(first, sizes);
  in_whole_vectors(random, first.size(), sizes);
  with_the_pieces(random, first.size(), sizes);
  std::erase_if(sizes, [&](const Size& size) { return !range.holds(size); });
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  if (sizes.size() < 2) return {};
  Size room = sizes.front();
  for (const Size& size : sizes)
    for (std::size_t i = 0; i < size.size(); ++i) room[i] = std::max(room[i], size[i]);
  sizes.insert(sizes.begin(), room);
  return sizes;
}

}  // namespace klab
