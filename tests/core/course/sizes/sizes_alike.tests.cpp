// Sizes that what is kept by less than the size takes for one another.
#include "core/course/sizes/sizes_alike.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>

using namespace klab;

namespace {

Lab lab_of(std::size_t dimensions) {
  Lab lab;
  lab.sizes.drawn = SizeRange{Size(dimensions, 1), Size(dimensions, 5000), 100000, {}};
  return lab;
}

/// Whether two that follow one another differ, and that key does not.
bool shows(const std::vector<Size>& sizes, const std::function<std::int64_t(const Size&)>& key) {
  return std::adjacent_find(sizes.begin(), sizes.end(), [&](const Size& a, const Size& b) {
           return a != b && key(a) == key(b);
         }) != sizes.end();
}

}  // namespace

TEST_CASE("sizes alike share blocks, vectors, tiles, elements and sums with their neighbours",
          "[core][sizes]") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    const auto rows = sizes_alike(lab_of(1), seed);
    for (const std::int64_t tile : {2, 4, 8, 16})
      CHECK(shows(rows, [&](const Size& size) { return (size[0] + tile - 1) / tile; }));
    const auto matrices = sizes_alike(lab_of(2), seed);
    CHECK(shows(matrices, [](const Size& size) { return size[0] * size[1]; }));
    CHECK(shows(matrices, [](const Size& size) { return size[0] + size[1]; }));
    for (const std::size_t i : {0, 1})
      CHECK(shows(matrices, [&](const Size& size) { return size[i]; }));
    for (const std::size_t i : {0, 1})
      CHECK(shows(matrices, [&](const Size& size) {
        const bool whole = size[0] % 16 == 0 && size[1] % 16 == 0;
        return whole ? size[i] : -size[0] * 10'000 - size[1];
      }));
    CHECK(
        shows(matrices, [](const Size& size) { return (size[0] + 3) / 4 * ((size[1] + 3) / 4); }));
    CHECK(shows(matrices, [](const Size& size) { return (size[0] * size[1] + 255) / 256; }));
    // As many pieces of 1,024, and so many that rows which are a little longer begin in others.
    const Size shorter = matrices.back(), longer = matrices[matrices.size() - 2];
    const auto piece_of = [](const Size& size, std::int64_t row) { return row * size[1] / 1024; };
    CHECK((shorter[0] * shorter[1] + 1023) / 1024 == (longer[0] * longer[1] + 1023) / 1024);
    bool begins_elsewhere = false;
    for (std::int64_t row = 1; row < shorter[0]; ++row)
      begins_elsewhere |= piece_of(shorter, row) != piece_of(longer, row);
    CHECK(begins_elsewhere);
  }
}

TEST_CASE("the first of the sizes alike has room for all, and all lie within the range",
          "[core][sizes]") {
  for (std::uint64_t seed = 0; seed < 300; ++seed)
    for (const std::size_t dimensions : {1, 2, 3})
      for (const auto sizes = sizes_alike(lab_of(dimensions), seed); const Size& size : sizes)
        for (std::size_t i = 0; i < dimensions; ++i) {
          CHECK(size[i] >= 1);
          CHECK(size[i] <= sizes.front()[i]);
        }
  Lab no_choice = lab_of(1);
  no_choice.sizes.drawn->highest = {1};
  CHECK(sizes_alike(no_choice, 1).empty());
  CHECK(sizes_alike(Lab(), 1).empty());
}
