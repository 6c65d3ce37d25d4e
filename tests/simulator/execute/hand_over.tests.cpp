// What warps of a block know of each other.
#include "simulator/execute/checks/hand_over.hpp"

#include <catch2/catch_test_macros.hpp>

#include "simulator/runtime/plugin_run.hpp"

using namespace klab::sim;

namespace hand_over_tests {
namespace {

constexpr std::uint32_t all = ~0u;
bool knows(const HandOver& warps, std::uint32_t warp, std::uint32_t other, std::uint32_t time) {
  return warps.knows(warp, 0, {other, all, time});
}

}  // namespace

TEST_CASE("a warp that hears a word knows what was fenced before it was told",
          "[simulator][order]") {
  HandOver warps(2);
  const auto before = warps.now(0);
  warps.fence(0, all);
  const auto behind = warps.now(0);
  warps.tell(0, 9, false);
  CHECK_FALSE(knows(warps, 1, 0, before));
  warps.hear(1, all, 8);
  CHECK_FALSE(knows(warps, 1, 0, before));
  warps.hear(1, all, 9);
  CHECK(knows(warps, 1, 0, before));
  CHECK_FALSE(knows(warps, 1, 0, behind));
}

TEST_CASE("what is told without a fence is not known", "[simulator][order]") {
  HandOver warps(2);
  const auto before = warps.now(0);
  warps.tell(0, 9, false);
  warps.hear(1, all, 9);
  CHECK_FALSE(knows(warps, 1, 0, before));
}

TEST_CASE("an atomic operation keeps what others told by its word, a store does not",
          "[simulator][order]") {
  for (const bool adds : {true, false}) {
    HandOver warps(3);
    const auto before = warps.now(0);
    for (const std::uint32_t warp : {0u, 1u}) {
      warps.fence(warp, all);
      warps.tell(warp, 9, adds);
    }
    warps.hear(2, all, 9);
    CHECK(knows(warps, 2, 0, before) == adds);
  }
}

TEST_CASE("a barrier of some warps orders those alone, and what comes behind an arrival not",
          "[simulator][order]") {
  HandOver warps(3);
  const auto before = warps.now(0);
  warps.arrive(0, 1);
  const auto behind = warps.now(0);
  warps.arrive(1, 1);
  warps.open(1);
  warps.pass(1, 1);
  CHECK(knows(warps, 1, 0, before));
  CHECK_FALSE(knows(warps, 1, 0, behind));
  CHECK_FALSE(knows(warps, 2, 0, before));
}

TEST_CASE("a lane tells what it did itself, and what others did before the warp came together",
          "[simulator][order]") {
  HandOver warps(2);
  int mbarrier = 0;
  const auto before = warps.now(0);
  warps.meet(0);
  const auto behind = warps.now(0);
  warps.arrive_at(&mbarrier, 0, 1, false);
  warps.end_phase(&mbarrier);
  warps.pass_phase(&mbarrier, 1, all);
  CHECK(warps.knows(1, 0, {0, 1 << 5, before}));
  CHECK(warps.knows(1, 0, {0, 1 << 0, behind}));
  CHECK_FALSE(warps.knows(1, 0, {0, 1 << 5, behind}));
}

TEST_CASE("what a lane hears the others know when the warp has come together",
          "[simulator][order]") {
  HandOver warps(2);
  int mbarrier = 0;
  const HandOver::Past past{0, all, warps.now(0)};
  warps.arrive_at(&mbarrier, 0, all, false);
  warps.end_phase(&mbarrier);
  warps.pass_phase(&mbarrier, 1, 1 << 3);
  CHECK(warps.knows(1, 3, past));
  CHECK_FALSE(warps.knows(1, 4, past));
  CHECK_FALSE(warps.all_know(1, 1 << 3 | 1 << 4, past));
  warps.meet(1);
  CHECK(warps.knows(1, 4, past));
  CHECK(warps.all_know(1, all, past));
}

TEST_CASE("an arrival behind the end of a phase is none of it", "[simulator][order]") {
  HandOver warps(2);
  int mbarrier = 0;
  warps.arrive_at(&mbarrier, 0, all, false);
  warps.end_phase(&mbarrier);
  const HandOver::Past past{0, all, warps.now(0)};
  warps.arrive_at(&mbarrier, 0, all, false);
  warps.pass_phase(&mbarrier, 1, all);
  CHECK_FALSE(warps.knows(1, 0, past));
}

TEST_CASE("warps that hand over in order are accused of no race", "[simulator][order]") {
  if (!test::has_plugin("hand_over")) SKIP("no nvcc");
  for (const char* scenario : {"flag", "last_warp", "named_barriers", "barriers_of_both_ways",
                               "latch", "tiles_of_two_warps"}) {
    INFO(scenario);
    const test::PluginRun run = test::run_plugin("hand_over", scenario, R"({"checks": "full"})");
    CAPTURE(run.report.dump());
    CHECK(run.status == 0);
    CHECK(run.findings.empty());
  }
}

}  // namespace hand_over_tests
