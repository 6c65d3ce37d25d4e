// Near names.
#include "core/base/names.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace klab;

TEST_CASE("the edit distance counts insertions, deletions, substitutions and swaps",
          "[core][names]") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("fusion", "fusoin") == 1);
  CHECK(edit_distance("abc", "abc") == 0);
}

TEST_CASE("near names come nearest first, and far ones not at all", "[core][names]") {
  const std::vector<std::string> known = {"divergence", "coalescing", "fusion"};
  CHECK(near_names("fuison", known) == std::vector<std::string>{"fusion"});
  CHECK(near_names("scing", known) == std::vector<std::string>{"coalescing"});
  CHECK(near_names("matrix", known).empty());
}

TEST_CASE("names are joined as a person would", "[core][names]") {
  CHECK(join_or({"a"}) == "a");
  CHECK(join_or({"a", "b"}) == "a or b");
  CHECK(join_or({"a", "b", "c"}) == "a, b or c");
}
