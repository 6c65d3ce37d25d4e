// Bounds of lab.toml: what is read, printed and satisfied.
#include "core/verdict/bound.hpp"

#include <cmath>
#include <limits>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using klab::Bound;
using klab::parse_bound;

TEST_CASE("a bound holds only where its comparison is true", "[core][bound]") {
  CHECK(parse_bound("<= 4.5")->holds(4.5));
  CHECK_FALSE(parse_bound("<= 4.5")->holds(4.500001));
  CHECK(parse_bound(">= 16")->holds(16));
  CHECK_FALSE(parse_bound(">= 16")->holds(15.99));
  CHECK(parse_bound("== 1")->holds(1));
  CHECK_FALSE(parse_bound("== 1")->holds(0));
}

TEST_CASE("no bound is satisfied by a value that is not a number", "[core][bound]") {
  for (const auto* text : {"<= 4.5", ">= 16", "== 1"}) {
    CHECK_FALSE(parse_bound(text)->holds(std::numeric_limits<double>::quiet_NaN()));
  }
}

TEST_CASE("spaces around a bound and within it are free", "[core][bound]") {
  for (const auto* text : {"<=4.5", " <= 4.5 ", "<=   4.5", "\t<= 4.5"}) {
    INFO(text);
    REQUIRE(parse_bound(text));
    CHECK(parse_bound(text)->value == 4.5);
  }
}

TEST_CASE("what is not a bound is refused", "[core][bound]") {
  for (const auto* text : {"", "   ", "4.5", "<=", "<= ", "< 4", "=< 4", "<= four", "<= 4.5x",
                           "<= 1 2", "<= nan", ">= inf", "== 1e999", "!= 3", "<= 0x10"}) {
    INFO(text);
    CHECK_FALSE(parse_bound(text));
  }
}

TEST_CASE("a printed bound reads back as the same bound", "[core][bound]") {
  const double value = GENERATE(0.0, 4.5, 0.1, 1e-9, 16.0, 1.0 / 3, 1e21, -2.5);
  const auto relation =
      GENERATE(Bound::Relation::at_most, Bound::Relation::at_least, Bound::Relation::equal);
  const auto again = parse_bound(to_string(Bound{relation, value}));
  REQUIRE(again);
  CHECK(again->value == value);
  CHECK(again->relation == relation);
}

TEST_CASE("a bound is printed with the shortest digits", "[core][bound]") {
  CHECK(to_string(*parse_bound("<=4.50")) == "<= 4.5");
  CHECK(to_string(*parse_bound(">= 16.0")) == ">= 16");
  CHECK(to_string(*parse_bound("== 0.1")) == "== 0.1");
}
