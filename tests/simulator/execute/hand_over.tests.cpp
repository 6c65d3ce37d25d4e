// What warps of a block know of each other.
#include "simulator/execute/checks/hand_over.hpp"

#include <catch2/catch_test_macros.hpp>

#include "simulator/runtime/plugin_run.hpp"

using namespace klab::sim;

TEST_CASE("a warp that hears a word knows what was fenced before it was told",
          "[simulator][order]") {
  HandOver warps(2);
  const auto before = warps.now(0);
  warps.fence(0);
  const auto behind = warps.now(0);
  warps.tell(0, 9, false);
  CHECK_FALSE(warps.knows(1, 0, before));
  warps.hear(1, 8);
  CHECK_FALSE(warps.knows(1, 0, before));
  warps.hear(1, 9);
  CHECK(warps.knows(1, 0, before));
  CHECK_FALSE(warps.knows(1, 0, behind));
}

TEST_CASE("what is told without a fence is not known", "[simulator][order]") {
  HandOver warps(2);
  const auto before = warps.now(0);
  warps.tell(0, 9, false);
  warps.hear(1, 9);
  CHECK_FALSE(warps.knows(1, 0, before));
}

TEST_CASE("an atomic operation keeps what others told by its word, a store does not",
          "[simulator][order]") {
  for (const bool adds : {true, false}) {
    HandOver warps(3);
    const auto before = warps.now(0);
    for (const std::uint32_t warp : {0u, 1u}) {
      warps.fence(warp);
      warps.tell(warp, 9, adds);
    }
    warps.hear(2, 9);
    CHECK(warps.knows(2, 0, before) == adds);
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
  CHECK(warps.knows(1, 0, before));
  CHECK_FALSE(warps.knows(1, 0, behind));
  CHECK_FALSE(warps.knows(2, 0, before));
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
