// A variant is a value; its words are chosen at the edges.
#include "core/verdict/variant_name.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "core/verdict/json/check_result_json.hpp"

using namespace klab;

TEST_CASE("a record says candidate where a reader is told mine", "[core][variant]") {
  CHECK(VariantName("candidate") == VariantName::mine);
  CHECK(VariantName("mine") == VariantName::mine);
  CHECK(VariantName::mine.name() == "candidate");
  CHECK(VariantName::mine.shown() == "mine");
  CHECK(nlohmann::json(VariantName::mine) == "candidate");
}

TEST_CASE("other kernels keep their own names", "[core][variant]") {
  for (const char* name : {"flawed", "optimized", "slow_copy", "mine (file)", ""}) {
    CHECK(VariantName(name).name() == name);
    CHECK(VariantName(name).shown() == name);
    CHECK(nlohmann::json(name).get<VariantName>() == VariantName(name));
  }
  CHECK(VariantName("slow_copy") != VariantName("slow_copies"));
  CHECK(VariantName("mine (file)") != VariantName::mine);
  CHECK(VariantName().empty());
}

TEST_CASE("kernels stand in the order in which records list them", "[core][variant]") {
  const std::map<VariantName, int> all = {{VariantName("slow_copy"), 4},
                                          {VariantName::optimized, 3},
                                          {VariantName::flawed, 2},
                                          {VariantName::mine, 1}};
  int place = 0;
  for (const auto& [variant, expected] : all) CHECK(expected == ++place);
}

TEST_CASE("a name that is no text is refused", "[core][variant]") {
  CHECK_THROWS_AS(nlohmann::json(7).get<VariantName>(), nlohmann::json::exception);
}

TEST_CASE("a check says what was checked as a reader is told, and its numbers as records do",
          "[core][variant]") {
  CheckResult result{.lab = "02-coalescing", .variant = VariantName::mine};
  result.counters[VariantName::mine]["metric"] = {1.0, Source::counted, {}};
  const nlohmann::json json = to_json(result);
  CHECK(json["variant"] == "mine");
  CHECK(json["counters"].contains("candidate"));
  const auto read = check_result_from(json);
  REQUIRE(read);
  CHECK(to_json(*read).dump() == json.dump());
}
