// Targets are said as bounds in the unit of what they bound, and read back from what was said.
#include "core/verdict/quantity.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/files.hpp"

using namespace klab;
using nlohmann::json;

namespace {

/// The texts of all targets in a record.
std::vector<std::string> targets_in(const json& record) {
  std::vector<std::string> found;
  if (record.is_object() && record.contains("target")) found.push_back(record.at("target"));
  for (const json& part : record)
    if (part.is_structured())
      for (std::string& text : targets_in(part)) found.push_back(std::move(text));
  return found;
}

}  // namespace

TEST_CASE("a target is read in the unit in which it is said", "[core][target]") {
  const auto read = target_from(">= 43.7 us");
  REQUIRE(read);
  CHECK(read->unit == "s");
  CHECK(read->bound.relation == Bound::Relation::at_least);
  CHECK_THAT(read->bound.value, Catch::Matchers::WithinRel(43.7e-6));
  CHECK(target_from(">= 5x") == Target{{Bound::Relation::at_least, 5}, "x"});
  CHECK(target_from("<= 14 %") == Target{{Bound::Relation::at_most, 14}, "%"});
  CHECK(target_from("== 0") == Target{{Bound::Relation::equal, 0}, ""});
  CHECK(target_from("<= 1,200 calls") == Target{{Bound::Relation::at_most, 1200}, "calls"});
}

TEST_CASE("what is no bound is no target", "[core][target]") {
  for (const char* text : {"", "4.5", "<=", "<= x", "at most 4", "<= 1.2.3", "less"})
    CHECK_FALSE(target_from(text));
}

TEST_CASE("people read thousands apart, records keep every digit", "[core][target]") {
  const Target operations{{Bound::Relation::at_least, 1020054733}, ""};
  CHECK(format_target(operations) == ">= 1,020,054,733");
  CHECK(target_words(operations) == ">= 1020054733");
  CHECK(target_words({{Bound::Relation::at_least, 1e9}, ""}) == ">= 1000000000");
  CHECK(format_target({}).empty());
}

TEST_CASE("every recorded target is read and written as it stands", "[core][target]") {
  std::size_t seen = 0;
  const auto folder = std::filesystem::path(KLAB_SOURCE_DIR) / "docs" / "results";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".json") continue;
    const auto text = read_file(file.path());
    REQUIRE(text);
    for (const std::string& said : targets_in(json::parse(*text))) {
      if (said.empty()) continue;
      INFO(file.path().filename().string() << ": " << said);
      const auto target = target_from(said);
      REQUIRE(target);
      CHECK(target_words(*target) == said);
      ++seen;
    }
  }
  CHECK(seen > 100);
}
