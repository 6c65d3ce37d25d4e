// A plugin built by nvcc on the replacement runtime: launches, symbols, graphs, streams, errors.
#include <catch2/catch_test_macros.hpp>
#include <cstring>

#include "simulator/runtime/plugin_run.hpp"

using namespace klab::sim::test;

namespace {

constexpr const char* deferred = R"({"deferred": true})";

/// Runs a scenario, which returns 0, or the line of its first failed check in kernels/<plugin>.cu.
void succeeds(const char* plugin, const char* scenario, const char* settings = "{}") {
  INFO(plugin << ": " << scenario);
  const PluginRun run = run_plugin(plugin, scenario, settings);
  CAPTURE(run.report.dump());
  CHECK(run.exited);
  CHECK(run.status == 0);
}

}  // namespace

TEST_CASE("A plugin's runtime calls behave as documented", "[simulator][runtime]") {
  if (!has_plugin("runtime")) SKIP("no nvcc");
  for (const char* scenario : {"launches", "symbols", "function_attributes", "refused_launches",
                               "cooperative", "sticky_error", "many_launches"})
    succeeds("runtime", scenario);
  for (const char* scenario : {"captured_graph", "built_graph", "blocking_streams", "two_threads"})
    succeeds("work_order", scenario);
}

TEST_CASE("What NVIDIA's device libraries and the samples ask for runs", "[simulator][runtime]") {
  if (!has_plugin("library")) SKIP("no nvcc");
  for (const char* scenario :
       {"tiles_of_two_warps", "shared_pipeline", "asynchronous_stores", "cluster_of_sixteen",
        "vector_sums", "objects_of_new", "destroyed_stream_in_capture", "memory_of_graphs"})
    succeeds("library", scenario);
}

TEST_CASE("Deferred mode keeps every documented order", "[simulator][runtime]") {
  if (!has_plugin("runtime")) SKIP("no nvcc");
  for (const char* scenario :
       {"launches", "symbols", "refused_launches", "cooperative", "sticky_error", "many_launches"})
    succeeds("runtime", scenario, deferred);
  for (const char* scenario :
       {"captured_graph", "built_graph", "deferred_order", "blocking_streams", "two_threads"})
    succeeds("work_order", scenario, deferred);
}

TEST_CASE("An event inside a graph parts what is waited for from what is not",
          "[simulator][runtime]") {
  if (!has_plugin("graph_events")) SKIP("no nvcc");
  for (const char* scenario : {"record_halfway", "wait_within", "captured", "nested"})
    succeeds("graph_events", scenario, deferred);
}

TEST_CASE("A call that frees memory is a wait of the host", "[simulator][runtime]") {
  if (!has_plugin("graph_events")) SKIP("no nvcc");
  const PluginRun run = run_plugin("graph_events", "frees");
  CHECK(run.status == 0);
  CHECK(run.report["host"]["host_synchronizations"] == 3);  // one of them of the preparation
}

TEST_CASE("An endless kernel ends by the instruction budget", "[simulator][runtime]") {
  if (!has_plugin("runtime")) SKIP("no nvcc");
  const PluginRun run = run_plugin("runtime", "endless_kernel", R"({"budget": 1000000})");
  CAPTURE(run.report.dump());
  CHECK(run.status == 0);
  CHECK(run.report["error"]["name"] == "cudaErrorLaunchTimeout");
  REQUIRE(run.report["messages"].size() == 1);
  const std::string message = run.report["messages"][0];
  CHECK(message.find("'spin()' was stopped at ") != std::string::npos);
  CHECK(message.find("runtime.cu line ") != std::string::npos);
}

TEST_CASE("A kernel file is not told that its launch was given no more time",
          "[simulator][runtime]") {
  if (!has_plugin("runtime")) SKIP("no nvcc");
  for (const char* settings :
       {R"({"budget": 1000000})", R"({"budget": 1000000, "deferred": true})"}) {
    const PluginRun run = run_plugin("runtime", "endless_within_kernel_file", settings);
    CAPTURE(run.report.dump());
    CHECK(run.status == 0);
    CHECK(run.report["error"]["name"] == "cudaErrorLaunchTimeout");
    CHECK(run.report["findings"].empty());
  }
}

TEST_CASE("Memory beyond the limit is refused with a sentence, and the program goes on",
          "[simulator][runtime]") {
  if (!has_plugin("runtime")) SKIP("no nvcc");
  const PluginRun run =
      run_plugin("runtime", "memory_limit", R"({"memory_limit_bytes": 67108864})");
  CAPTURE(run.report.dump());
  CHECK(run.exited);
  CHECK(run.status == 0);
  REQUIRE_FALSE(run.report["messages"].empty());
  CHECK(run.report["messages"][0].get<std::string>().ends_with(
      " of 67108864 bytes of simulated memory are in use."));
}

TEST_CASE("A running kernel can be cancelled from another thread", "[simulator][runtime]") {
  if (!has_plugin("runtime")) SKIP("no nvcc");
  const PluginRun run = run_plugin("runtime", "cancelled_kernel", R"({"budget": 0})");
  CAPTURE(run.report.dump());
  CHECK(run.exited);  // without the cancel it would be killed at its limit
  CHECK(run.status == 0);
}

TEST_CASE("Launches, graphs and waits are counted as the host made them", "[simulator][runtime]") {
  if (!has_plugin("runtime")) SKIP("no nvcc");
  const auto graph = run_plugin("work_order", "captured_graph").report["host"];
  CHECK(graph["kernel_launches"] == 0);
  CHECK(graph["kernels_executed"] == 9);
  CHECK(graph["blocks_launched"] == 9);
  CHECK(graph["threads_launched"] == 3 * (32 + 32 + 1));
  CHECK(graph["graph_launches"] == 3);
  CHECK(graph["host_synchronizations"] == 1);
  CHECK(graph["device_to_host_copies"] == 3);
  CHECK(graph["device_to_host_bytes"] == 12);
  const auto report = run_plugin("runtime", "many_launches").report;
  CHECK(report["host"]["kernel_launches"] == 1000);
  CHECK(report["host"]["blocks_launched"] == 1000);
  CHECK(report["host"]["threads_launched"] == 1000);
  CHECK(report["host"]["blocks_per_kernel"] == 1);
  REQUIRE(report["kernels"].size() == 1);
  CHECK(report["kernels"][0]["launches"] == 1000);
  CHECK(report["kernels"][0]["name"] == "add_one(int*)");
  CHECK(report["kernels"][0]["counts"]["global_atomics"] == 1000);
  CHECK(report["labels"]["global_atomics"] == "counted");
}

TEST_CASE("A large kernel with nothing to do does not change how many blocks a kernel has",
          "[simulator][runtime]") {
  if (!has_plugin("runtime")) SKIP("no nvcc");
  const auto host = run_plugin("runtime", "diluted").report["host"];
  CHECK(host["kernels_executed"] == 4);
  CHECK(host["blocks_per_kernel"] == 2);
}

TEST_CASE("What kernels allocate and nobody frees is kept", "[simulator][runtime]") {
  if (!has_plugin("runtime")) SKIP("no nvcc");
  CHECK(run_plugin("runtime", "kept_pieces").report["host"]["kept_allocations"] == 2);
}

TEST_CASE("A kernel that can't run is refused with opcode and line; others still run",
          "[simulator][runtime]") {
  if (!has_plugin("unsupported")) SKIP("no nvcc");
  const PluginRun run = run_plugin("unsupported", "run");
  CAPTURE(run.report.dump());
  CHECK(run.status == 0);
  REQUIRE(run.report["unsupported"].size() == 1);
  const auto& entry = run.report["unsupported"][0];
  CHECK(entry.value("what", "").starts_with("tld4.r.2d"));
  CHECK(entry.value("line", 0) == 5);
  CHECK(entry.value("file", "").ends_with("unsupported.cu"));
  CHECK(entry.value("kernel", "").starts_with("sample("));
}

TEST_CASE("A wait for what another stream is yet to do is no deadlock, and lacks a GPU",
          "[simulator][runtime]") {
  if (!has_plugin("unsupported")) SKIP("no nvcc");
  constexpr const char* settings = R"({"checks": "full", "deferred": true, "budget": 1000000})";
  const PluginRun beside = run_plugin("unsupported", "flag_of_another_stream", settings);
  CAPTURE(beside.report.dump());
  CHECK(beside.status == 0);
  CHECK(beside.findings.empty());
  REQUIRE(beside.report["unsupported"].size() == 1);
  CHECK(beside.report["unsupported"][0].value("kernel", "").starts_with("wait_for("));
  const PluginRun alone = run_plugin("unsupported", "flag_of_the_same_stream", settings);
  CAPTURE(alone.report.dump());
  CHECK(alone.status == 0);
  CHECK(alone.report["unsupported"].empty());
  CHECK(alone.report["messages"].size() == 1);
}
