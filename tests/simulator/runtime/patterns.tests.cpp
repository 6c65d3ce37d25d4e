// Many patterns of access and arithmetic, without a bug in them: nothing is found, and what is
// counted is the same however many threads count it.
#include <catch2/catch_test_macros.hpp>
#include <cstring>

#include "simulator/runtime/plugin_run.hpp"

using namespace klab::sim::test;

TEST_CASE("Kernels without a bug get no finding under full checks", "[simulator][bugs]") {
  if (!has_plugin("patterns")) SKIP("no nvcc");
  const PluginRun run = run_plugin("patterns", "run", R"({"checks": "full"})");
  CAPTURE(run.report.dump());
  CHECK(run.status == 0);
  CHECK(run.findings.empty());
  CHECK(run.report["kernels"].size() >= 20);
}

TEST_CASE("Streams that events order and blocks that a fence or a cluster orders get no finding",
          "[simulator][bugs]") {
  if (!has_plugin("ordered")) SKIP("no nvcc");
  const PluginRun run = run_plugin("ordered", "run", R"({"checks": "full", "deferred": true})");
  CAPTURE(run.report.dump());
  CHECK(run.status == 0);
  CHECK(run.findings.empty());
}

TEST_CASE("Counts do not depend on the number of threads", "[simulator][agreement]") {
  if (!has_plugin("patterns")) SKIP("no nvcc");
  const auto one = run_plugin("patterns", "run", R"({"threads": 1})");
  REQUIRE(one.status == 0);
  REQUIRE(one.report["kernels"].size() >= 20);
  for (const char* settings : {R"({"threads": 2})", R"({"threads": 8})"}) {
    CAPTURE(settings);
    const auto other = run_plugin("patterns", "run", settings);
    CHECK(other.report["kernels"] == one.report["kernels"]);
  }
}
