// Programs whose threads, blocks and kernels hand over in order are accused of nothing.
#include <catch2/catch_test_macros.hpp>

#include "simulator/runtime/plugin_run.hpp"

using namespace klab::sim::test;

namespace {

void expect_nothing(const char* plugin, const char* settings) {
  if (!has_plugin(plugin)) SKIP("no nvcc");
  const PluginRun run = run_plugin(plugin, "run", settings);
  CAPTURE(run.report.dump());
  CHECK(run.status == 0);
  CHECK(run.findings.empty());
}

}  // namespace

TEST_CASE("Lanes that meet, and blocks of a cluster that do, get no finding",
          "[simulator][order]") {
  expect_nothing("in_order", R"({"checks": "full"})");
}

TEST_CASE("Blocks that take turns by a word that all read and write get no finding",
          "[simulator][order]") {
  expect_nothing("blocks_in_turn", R"({"checks": "full"})");
}

TEST_CASE("Kernels that begin early and wait for what they use get no finding",
          "[simulator][order]") {
  expect_nothing("early_rows", R"({"checks": "full", "deferred": true})");
}

TEST_CASE("A host that keeps away from what kernels are at gets no finding", "[simulator][order]") {
  expect_nothing("shared_with_host", R"({"checks": "full", "deferred": true})");
}
