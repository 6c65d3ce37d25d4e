// Stall samples: names, shares, lines and records.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "core/measure/stall_reasons.hpp"
#include "core/verdict/stall_samples.hpp"

using namespace klab;
using Catch::Matchers::WithinAbs;

namespace {

StallSamples some_samples() {
  StallSamples samples{
      .variant = VariantName::flawed, .launches = 3, .period_cycles = 1024, .dropped = 2};
  samples.pcs = {{"spin(float*)", 16, "/lab/flawed.cu", 7, {{"long_scoreboard", 60}}, 55},
                 {"spin(float*)", 32, "/lab/flawed.cu", 9, {{"wait", 5}, {"selected", 15}}, 5},
                 {"spin(float*)", 48, "/lab/flawed.cu", 7, {{"barrier", 20}}, 20},
                 {"spin(float*)", std::nullopt, "", std::nullopt, {{"misc", 0}}, 0}};
  return samples;
}

}  // namespace

TEST_CASE("CUPTI's names become ours", "[core][stalls]") {
  const auto plain = stall_from_cupti("smsp__pcsamp_warps_issue_stalled_long_scoreboard");
  REQUIRE(plain);
  CHECK(plain->reason == "long_scoreboard");
  CHECK_FALSE(plain->not_issued);
  const auto exposed = stall_from_cupti("smsp__pcsamp_warp_stall_no_instructions_not_issued");
  REQUIRE(exposed);
  CHECK(exposed->reason == "no_instruction");
  CHECK(exposed->not_issued);
  CHECK(stall_from_cupti("smsp__pcsamp_warps_issue_stalled_warpgroup_arrive")->reason == "gmma");
  CHECK(stall_from_cupti("smsp__pcsamp_warps_issue_stalled_of_tomorrow")->reason == "of_tomorrow");
  for (const char* other : {"smsp__pcsamp_sample_count", "smsp__pcsamp_samples_data_dropped",
                            "smsp__pcsamp_warps_issue_stalled_", ""})
    CHECK_FALSE(stall_from_cupti(other));
}

TEST_CASE("every reason is explained and listed once", "[core][stalls]") {
  std::set<std::string_view> names;
  for (const StallReason& reason : stall_reasons()) {
    INFO(reason.name);
    CHECK(names.insert(reason.name).second);
    CHECK_FALSE(reason.label.empty());
    CHECK_FALSE(stall_meaning(reason.name).empty());
    CHECK_FALSE(stall_advice(reason.name).empty());
    CHECK(find_stall_reason(reason.name) == &reason);
  }
  CHECK(stall_meaning("of_tomorrow").empty());
  CHECK(find_stall_reason("") == nullptr);
}

TEST_CASE("shares are of all samples, and add up", "[core][stalls]") {
  const auto shares = stall_shares_pct(some_samples());
  CHECK_THAT(shares.at("long_scoreboard"), WithinAbs(60, 1e-9));
  CHECK_THAT(shares.at("selected"), WithinAbs(15, 1e-9));
  double sum = 0;
  for (const auto& [reason, share] : shares) sum += share;
  CHECK_THAT(sum, WithinAbs(100, 1e-9));
  CHECK(stall_shares_pct({}).empty());
}

TEST_CASE("lines gather their instructions, hottest first", "[core][stalls]") {
  const auto heat = line_heat(some_samples());
  REQUIRE(heat.size() == 2);
  CHECK(heat[0].line == 7);
  CHECK(heat[0].value == 80);
  CHECK(heat[0].by_reason.at("barrier") == 20);
  CHECK(heat[0].variant == VariantName::flawed);
  CHECK(heat[1].line == 9);
}

TEST_CASE("samples survive JSON, and foreign JSON is harmless", "[core][stalls]") {
  const nlohmann::json json = to_json(some_samples());
  const StallSamples again = stall_samples_from(json);
  CHECK(again.samples() == 100);
  CHECK(again.period_cycles == 1024);
  CHECK(again.pcs[1].offset == 32);
  CHECK_FALSE(again.pcs[3].offset);
  CHECK_FALSE(again.pcs[3].line);
  nlohmann::json expected = json;
  expected["pcs"][3]["by_reason"] = nlohmann::json::object();  // a count of 0 is no sample
  CHECK(to_json(again) == expected);
  for (const char* text : {"[]", "{\"pcs\": {}}",
                           "{\"pcs\": [1, {\"line\": -3, \"by_reason\": [2]}], \"dropped\": -1}"}) {
    const StallSamples foreign = stall_samples_from(nlohmann::json::parse(text));
    CHECK(foreign.samples() == 0);
    CHECK(foreign.dropped == 0);
    for (const StallPc& pc : foreign.pcs) CHECK_FALSE(pc.line);
  }
}
