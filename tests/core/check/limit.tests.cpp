// What limits a kernel next follows from its busiest unit.
#include "core/check/limit.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/verdict/json/check_result_json.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;

namespace {

Counters counters(std::initializer_list<std::pair<const char*, double>> values) {
  Counters made;
  for (const auto& [name, value] : values) {
    REQUIRE(find_metric(name) != nullptr);
    made[name] = {.value = value};
  }
  return made;
}

}  // namespace

TEST_CASE("the busiest unit names the ceiling, in percent", "[core][limit]") {
  const auto limit = what_limits(
      counters({{"dram_throughput_pct", 85.9}, {"l2_throughput_pct", 41}, {"fma_pipe_pct", 5}}),
      {});
  REQUIRE(limit);
  CHECK(limit->kind == Limit::Kind::ceiling);
  CHECK(limit->metric == "dram_throughput_pct");
  CHECK_THAT(limit->words,
             ContainsSubstring("Device memory throughput is at 85.9 % of its peak (measured)"));
  CHECK_FALSE(limit->next.empty());
}

TEST_CASE("between the thresholds a ceiling is near, below them the kernel waits",
          "[core][limit]") {
  const auto kind = [](double percent) {
    return what_limits(counters({{"l2_throughput_pct", percent}}), {})->kind;
  };
  CHECK(kind(80) == Limit::Kind::ceiling);
  CHECK(kind(79.9) == Limit::Kind::near_ceiling);
  CHECK(kind(60) == Limit::Kind::near_ceiling);
  CHECK(kind(59.9) == Limit::Kind::waiting);
  CHECK_FALSE(what_limits(counters({{"l2_throughput_pct", 70}}), {})->next.empty());
}

TEST_CASE("an idle device comes before every unit of it", "[core][limit]") {
  const auto limit = what_limits(counters({{"gpu_idle_pct", 73}, {"dram_throughput_pct", 85}}), {});
  CHECK(limit->kind == Limit::Kind::idle);
  CHECK(limit->percent == 73);
  CHECK(what_limits(counters({{"gpu_idle_pct", 2}, {"dram_throughput_pct", 85}}), {})->kind ==
        Limit::Kind::ceiling);
}

TEST_CASE("without shares of a peak nothing is claimed", "[core][limit]") {
  CHECK_FALSE(what_limits({}, {}));
  CHECK_FALSE(what_limits(counters({{"dram_bytes", 1e9}}), {}));
  Counters refused = counters({{"dram_throughput_pct", 0}});
  refused["dram_throughput_pct"] = {.value = std::nullopt, .reason = missing_from("refused")};
  CHECK_FALSE(what_limits(refused, {}));
}

TEST_CASE("a ceiling of this device is told beside the peak", "[core][limit]") {
  const Gate gate{.name = GateName::time, .subject = "dram_copy", .measured = 98.4, .unit = "%"};
  CHECK_THAT(what_limits(counters({{"dram_throughput_pct", 85}}), {gate})->words,
             ContainsSubstring("ran at 98.4 % of what this device was measured to do"));
}

TEST_CASE("the optimized kernel of lab 02 on an H200 is at the memory's ceiling", "[core][limit]") {
  std::ifstream file(KLAB_SOURCE_DIR "/docs/results/window-02-coalescing.jsonl");
  nlohmann::json json;
  for (std::string line; std::getline(file, line) && !json.contains("result");)
    json = nlohmann::json::parse(line, nullptr, false);
  REQUIRE(json.contains("result"));
  const auto read = check_result_from(json.at("result"));
  REQUIRE(read);
  const CheckResult& result = *read;
  const auto optimized = what_limits(result.counters.at(VariantName::optimized), {});
  REQUIRE(optimized);
  CHECK(optimized->kind == Limit::Kind::ceiling);
  CHECK(optimized->metric == "dram_throughput_pct");
  const auto flawed = what_limits(result.counters.at(VariantName::flawed), {});
  REQUIRE(flawed);
  CHECK(flawed->kind == Limit::Kind::waiting);
}
