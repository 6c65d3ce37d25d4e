// Launches that differ from the one before by little.
#include "runner/problem/one_changed.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>

using namespace klab;
using namespace klab::runner;

TEST_CASE("scalars are changed all together first, then each of two alone", "[runner][changed]") {
  const std::vector<BufferSpec> specs = {{.name = "in", .count = 100}};
  std::set<std::uint64_t> which_of_two;
  for (const std::size_t number : {1, 3, 5}) {
    REQUIRE(changes_scalars(specs, number));
    const Problem changed = with_one_changed({.size = {100}, .seed = 7}, specs, number);
    CHECK(changed.seed == 7);
    CHECK(changed.scalars.seed != 7);
    which_of_two.insert(changed.scalars.which & 3);
  }
  CHECK(which_of_two == std::set<std::uint64_t>{1, 2, 3});
}

TEST_CASE("at last all scalars are changed by little", "[runner][changed]") {
  const std::vector<BufferSpec> specs = {{.name = "in", .count = 100}};
  for (std::size_t number = 1; number < 2 * rounds_of_changes; number += 2) {
    const Problem changed = with_one_changed({.size = {100}, .seed = 7}, specs, number);
    CHECK((changed.scalars.share < 1) == (number + 1 == 2 * rounds_of_changes));
    if (changed.scalars.share < 1) CHECK(changed.scalars.which == ~std::uint64_t{0});
  }
}

TEST_CASE("where an element is changed all scalars stay", "[runner][changed]") {
  const std::vector<BufferSpec> specs = {{.name = "in", .count = 100}};
  const Problem changed = with_one_changed({.size = {100}, .seed = 7}, specs, 2);
  CHECK(changed.scalars.which == 0);
  REQUIRE(changed.parts.size() == 1);
  REQUIRE(changed.parts[0].size() == 1);
  CHECK(changed.parts[0][0].end == changed.parts[0][0].begin + 1);
}
