// Counts of the simulator against the hardware counters of a recorded H200 run.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <fstream>

#include "plugin_run.hpp"

using namespace klab::sim::test;

namespace {

nlohmann::json recorded() {
  std::ifstream in(std::string(KLAB_SOURCE_DIR) + "/tests/simulator/h200_counts.json");
  return nlohmann::json::parse(in);
}

/// What the agreement is promised for: decided by addresses alone.
constexpr const char* exact_counts[] = {"global_load_requests",   "global_load_sectors",
                                        "global_store_requests",  "global_store_sectors",
                                        "local_load_sectors",     "local_store_sectors",
                                        "shared_load_wavefronts", "shared_store_wavefronts"};

}  // namespace

TEST_CASE("Counts decided by addresses equal the H200's to the unit", "[simulator][agreement]") {
  if (!has_plugin("agreement")) SKIP("no nvcc");
  const auto hardware = recorded();
  for (const auto& [name, wanted] : hardware["kernels"].items()) {
    DYNAMIC_SECTION(name) {
      const PluginRun run = run_plugin("agreement", "run_" + name);
      CAPTURE(run.report.dump());
      REQUIRE(run.status == 0);
      REQUIRE(run.report["kernels"].size() == 1);
      const auto& counts = run.report["kernels"][0]["counts"];
      const auto differs = hardware["differs"].value(name, nlohmann::json::object());
      for (const char* count : exact_counts) {
        if (differs.contains(count)) continue;
        CAPTURE(count);
        CHECK(counts[count] == wanted[count]);
      }
    }
  }
}

TEST_CASE("Threads per instruction are within 10 % of the H200's", "[simulator][agreement]") {
  if (!has_plugin("agreement")) SKIP("no nvcc");
  const auto hardware = recorded();
  for (const auto& [name, wanted] : hardware["kernels"].items()) {
    DYNAMIC_SECTION(name) {
      const PluginRun run = run_plugin("agreement", "run_" + name);
      REQUIRE(run.status == 0);
      const auto& counts = run.report["kernels"][0]["counts"];
      const double threads =
          counts["thread_instructions"].get<double>() / counts["warp_instructions"].get<double>();
      const double measured = wanted["threads_per_instruction"];
      CAPTURE(threads, measured);
      CHECK(std::abs(threads - measured) <= 0.10 * measured);
    }
  }
}

TEST_CASE("Counts do not depend on the number of threads", "[simulator][agreement]") {
  if (!has_plugin("agreement")) SKIP("no nvcc");
  for (const char* kernel : {"run_reduce", "run_diverge", "run_transpose", "run_local_array"}) {
    DYNAMIC_SECTION(kernel) {
      const auto one = run_plugin("agreement", kernel, R"({"threads": 1})");
      REQUIRE(one.status == 0);
      for (const char* settings : {R"({"threads": 2})", R"({"threads": 8})"}) {
        const auto other = run_plugin("agreement", kernel, settings);
        CHECK(other.report["kernels"] == one.report["kernels"]);
      }
    }
  }
}
