// Sweep rules with known answers: which values, where the crossover is, and that there may be none.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/investigate/investigation.hpp"
#include "core/investigate/sweep_rules.hpp"

using namespace klab;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Points at 1, 2, 4, ... with these ratios, each known to 2 %.
Sweep sweep_of(const std::vector<double>& ratios) {
  Sweep sweep{
      .parameter = "size", .label = "rows", .variants = {VariantName::flawed, VariantName::mine}};
  std::int64_t value = 1;
  for (const double ratio : ratios) {
    SweepPoint point{.value = value, .size = {value, 3}};
    point.seconds[VariantName::flawed] = {ratio, ratio, ratio};
    point.seconds[VariantName::mine] = {1, 1, 1};
    point.ratio[VariantName::mine] = {ratio, 0.98 * ratio, 1.02 * ratio};
    sweep.points.push_back(point);
    value *= 2;
  }
  return sweep;
}

}  // namespace

TEST_CASE("the largest extent is swept, in powers of two around the timing size", "[core][sweep]") {
  CHECK(swept_dimension({262144, 512}) == 0);
  CHECK(swept_dimension({64, 1048576}) == 1);
  CHECK(swept_dimension({7, 7}) == 0);
  const auto values = size_values({64, 4096}, false);
  REQUIRE(values.size() == 14);
  CHECK(values.front() == 1);
  CHECK(values[12] == 4096);
  CHECK(values.back() == 8192);
  CHECK(size_values({16}, false) == std::vector<std::int64_t>{1, 2, 4, 8, 16, 32});
  CHECK(size_values({1024}, true) == std::vector<std::int64_t>{16, 32, 64, 128, 256, 512, 1024});
  CHECK(size_values({}, false).empty());
}

TEST_CASE("a crossover lies where the ratio's interval crosses 1", "[core][sweep]") {
  const Sweep sweep = sweep_of({0.5, 0.5, 2, 4});
  const auto found = crossovers(sweep.points, VariantName::mine);
  REQUIRE(found.size() == 1);
  CHECK(found[0].from == 2);
  CHECK(found[0].to == 4);
  CHECK(found[0].wins_after);
  // From 0.5 to 2, both a factor of two off 1: halfway by the logarithm.
  CHECK(*found[0].at == Approx(std::sqrt(8.0)));
  CHECK_THAT(crossover_text(sweep, VariantName::mine),
             ContainsSubstring("Mine begins to be faster than flawed near 3 rows"));
}

TEST_CASE("points that cannot tell widen the bracket", "[core][sweep]") {
  const auto found = crossovers(sweep_of({0.5, 0.99, 1.01, 2}).points, VariantName::mine);
  REQUIRE(found.size() == 1);
  CHECK(found[0].from == 1);
  CHECK(found[0].to == 8);
  CHECK(*found[0].at == Approx(std::sqrt(8.0)).epsilon(0.01));
}

TEST_CASE("a kernel may cease to win, and win more than once", "[core][sweep]") {
  const Sweep sweep = sweep_of({2, 0.5, 2});
  const auto found = crossovers(sweep.points, VariantName::mine);
  REQUIRE(found.size() == 2);
  CHECK_FALSE(found[0].wins_after);
  CHECK(found[1].wins_after);
  CHECK_THAT(crossover_text(sweep, VariantName::mine), ContainsSubstring("ceases to be faster"));
}

TEST_CASE("without a crossover it is said who wins, or that nobody can tell", "[core][sweep]") {
  CHECK(crossovers(sweep_of({2, 3, 4}).points, VariantName::mine).empty());
  CHECK_THAT(crossover_text(sweep_of({2, 3, 4}), VariantName::mine),
             ContainsSubstring("No crossover: mine is faster than flawed at every value."));
  CHECK_THAT(crossover_text(sweep_of({0.5, 0.4}), VariantName::mine),
             ContainsSubstring("is slower"));
  CHECK_THAT(crossover_text(sweep_of({1, 2}), VariantName::mine),
             ContainsSubstring("1 of 2 do not"));
  CHECK_THAT(crossover_text(sweep_of({1, 1.01}), VariantName::mine),
             ContainsSubstring("every interval holds 1"));
  CHECK_THAT(crossover_text(sweep_of({}), VariantName::mine), ContainsSubstring("was not timed"));
  CHECK(crossover_text(sweep_of({2}), VariantName::flawed).empty());
}

TEST_CASE("points without a time are passed over", "[core][sweep]") {
  Sweep sweep = sweep_of({0.5, 0.7, 2});
  sweep.points[1].ratio.clear();
  const auto found = crossovers(sweep.points, VariantName::mine);
  REQUIRE(found.size() == 1);
  CHECK(found[0].from == 1);
  CHECK(found[0].to == 4);
}

TEST_CASE("a sweep reads back as it was written", "[core][sweep]") {
  Sweep sweep = sweep_of({0.5, 2});
  sweep.metrics = {"flop_fp32"};
  sweep.points[0].counters[VariantName::flawed]["flop_fp32"] = {7.0, Source::counted, {}};
  sweep.points[1].error = make_error(ErrorCode::out_of_memory, "Too large.");
  sweep.notes = {"A note."};
  Investigation written{.kind = InvestigationKind::sweep, .lab = "x"};
  written.found = sweep;
  const auto json = nlohmann::json::parse(to_json(written).dump());
  CHECK(json["found"]["conclusions"]["candidate"]["crossovers"].size() == 1);
  const auto read = investigation_from(json);
  REQUIRE(read);
  const Sweep& back = std::get<Sweep>(read->found);
  REQUIRE(back.points.size() == 2);
  CHECK(back.points[0].counters.at(VariantName::flawed).at("flop_fp32").value == 7.0);
  CHECK(back.points[0].size == Size{1, 3});
  CHECK(back.points[1].error->code == ErrorCode::out_of_memory);
  CHECK(to_json(back) == to_json(sweep));
}

TEST_CASE("a record that is no sweep gives an error or nothing, never a crash", "[core][sweep]") {
  for (const char* text : {R"([])", R"({})", R"({"points":7})", R"(null)", R"("x")"})
    CHECK_FALSE(sweep_from(nlohmann::json::parse(text)));
  for (const char* text : {R"({"points":[1,null,"x"],"variants":7,"metrics":{"a":1}})",
                           R"({"points":[{"value":"x","size":{},"ratio":[1],"seconds":3,
                               "counters":[],"error":[]}],"variants":[1,{}]})"}) {
    const auto read = sweep_from(nlohmann::json::parse(text));
    REQUIRE(read);
    CHECK(crossovers(read->points, VariantName::mine).empty());
    CHECK_FALSE(to_json(*read).empty());
  }
}
