// What warps wait for: instructions to lines with the real compiler and CUPTI, and planned stalls
// on a real GPU.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <fstream>
#include <string>
#include <vector>

#include "core/base/files.hpp"
#include "core/build/plugin_builder.hpp"
#include "core/course/lab.hpp"
#include "core/measure/stall_reasons.hpp"
#include "core/process/process.hpp"
#include "core/wire/runner_client.hpp"
#include "runner/cupti/module_lines.hpp"
#include "runner/gpu/stalls_cupti.hpp"
#include "support/checking.hpp"
#include "support/in_full.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using namespace klab::runner;

namespace {

const std::filesystem::path source = KLAB_SOURCE_DIR;
const std::string prefix = "smsp__pcsamp_warps_issue_stalled_";

std::filesystem::path fixture(const std::string& name) {
  return source / "tests" / "runner" / "fixtures" / (name + ".cu");
}

/// The number of the line that says "// planned".
int planned_line(const std::string& name) {
  std::ifstream file(fixture(name));
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.find("// planned") != std::string::npos) return number;
  }
  FAIL("no planned line in " << name);
  return 0;
}

/// Machine code of a fixture, as the driver loads it.
std::string cubin_of(const std::string& name, bool with_lines) {
  const auto toolchain = find_toolchain(test::tree());
  REQUIRE(toolchain);
  const test::TemporaryFolder folder;
  const auto output = folder.path() / "kernel.cubin";
  std::vector<std::string> command = {
      toolchain->nvcc.string(),
      "-std=c++20",
      "-O3",
      "-arch=sm_90",
      "-cubin",
      "-I",
      (source / "tests" / "fixtures" / "labs" / "01_scale").string()};
  if (with_lines) command.push_back("-lineinfo");
  command.insert(command.end(), {"-o", output.string(), fixture(name).string()});
  const auto run = run_process({.command = command, .time_limit_s = 100});
  REQUIRE(run);
  INFO(run->err);
  REQUIRE(run->exit_code == 0);
  const auto text = read_file(output);
  REQUIRE(text);
  return *text;
}

/// Stall samples of one of the fixtures in this folder.
StallSamples sampled(const std::string& name) {
  const Tree tree = test::tree();
  const auto lab = load_lab(source / "tests" / "fixtures", "01_scale");
  REQUIRE(lab);
  const auto toolchain = find_toolchain(tree);
  REQUIRE(toolchain);
  const ComputeCapability capability = built_for(tree);
  const auto workload = build_workload(tree, *toolchain, *lab, capability);
  REQUIRE(workload);
  const auto plugin =
      build_plugin(tree, *toolchain, *lab, VariantName(name), fixture(name), capability);
  if (!plugin) FAIL(klab::test::in_full(plugin.error()));
  Request request;
  request.phase = Phase::stalls;
  request.lab = lab->id;
  request.workload = workload->library.string();
  request.plugins = {{VariantName(name), plugin->library.string()}};
  request.sizes = {{1 << 26}};
  const PhaseOutcome outcome = run_phase(tree, false, request, 60);
  if (outcome.error && (outcome.error->code == ErrorCode::profiler_denied ||
                        outcome.error->code == ErrorCode::profiler_attached))
    SKIP(outcome.error->what);
  if (outcome.error) FAIL(klab::test::in_full(*outcome.error));
  const auto stalls = outcome.all<record::Stalls>();
  REQUIRE(stalls.size() == 1);
  return stalls.front().samples;
}

/// Shares by reason as text, for the message of a failing test.
std::string describe(const StallSamples& samples) {
  std::string text = std::to_string(samples.samples()) + " samples of " +
                     std::to_string(samples.launches) + " launches, dropped " +
                     std::to_string(samples.dropped) + ", elsewhere " +
                     std::to_string(samples.elsewhere) + "\n";
  for (const auto& [reason, share] : stall_shares_pct(samples))
    text += "  " + reason + " " + std::to_string(share) + " %\n";
  for (const LineHeat& line : line_heat(samples))
    text += "  " + line.file + ":" + std::to_string(line.line) + " " + std::to_string(line.value) +
            "\n";
  return text;
}

}  // namespace

TEST_CASE("instructions lead to the lines of their source", "[runner][stalls]") {
  const std::string cubin = cubin_of("stall_chain", true);
  ModuleLines lines;
  lines.add(cubin.data(), cubin.size());
  const int planned = planned_line("stall_chain");
  int on_planned_line = 0;
  for (std::uint64_t offset = 0; offset < 1024; offset += 16)
    if (const auto line = lines.find(0, "chase", offset)) {
      CHECK(std::filesystem::path(line->file).filename() == "stall_chain.cu");
      on_planned_line += line->line == planned;
    }
  CHECK(on_planned_line > 5);
  CHECK_FALSE(lines.find(0, "no_such_kernel", 0));
}

TEST_CASE("code without lines, and what is no code, has no lines", "[runner][stalls]") {
  const std::string bare = cubin_of("stall_chain", false);
  ModuleLines lines;
  lines.add(bare.data(), bare.size());
  lines.add("not a cubin", 11);
  lines.add(nullptr, 0);
  CHECK_FALSE(lines.find(0, "chase", 16));
}

TEST_CASE("counts with and without the suffix are told apart", "[runner][stalls]") {
  const StallTally::Place place{1, "_Z4spinPf", 32};
  StallTally nested;
  nested.add(place, prefix + "wait", 100);
  nested.add(place, prefix + "wait_not_issued", 60);
  nested.add(place, "smsp__pcsamp_sample_count", 999);
  CHECK(nested.samples() == 100);
  const auto pcs = nested.listed({}, 10);
  REQUIRE(pcs.size() == 1);
  CHECK(pcs[0].kernel == "spin(float*)");
  CHECK(pcs[0].offset == 32);
  CHECK(pcs[0].not_issued == 60);
  CHECK_FALSE(pcs[0].line);

  StallTally apart = nested;
  apart.add({1, "_Z4spinPf", 48}, prefix + "barrier_not_issued", 7);  // none without the suffix
  CHECK(apart.samples() == 167);
}

TEST_CASE("instructions beyond those listed are summed for each kernel", "[runner][stalls]") {
  StallTally tally;
  for (std::uint64_t offset = 0; offset < 160; offset += 16)
    tally.add({1, "spin", offset}, prefix + "wait", 1 + static_cast<std::int64_t>(offset));
  const auto pcs = tally.listed({}, 3);
  REQUIRE(pcs.size() == 4);
  CHECK(pcs[0].offset == 144);
  CHECK_FALSE(pcs[3].offset);
  std::int64_t sum = 0;
  for (const StallPc& pc : pcs) sum += pc.samples();
  CHECK(sum == tally.samples());
}

TEST_CASE("the sampling period fits the kernel's duration", "[runner][stalls]") {
  CHECK(period_exponent(132, 2e9, 60'000) == 22);  // a second: 2^22 cycles is 2 ms
  CHECK(period_exponent(132, 2e5, 60'000) == 8);   // 0.1 ms
  CHECK(period_exponent(132, 0, 60'000) == 8);
  CHECK(period_exponent(132, 1e18, 60'000) == 31);
}

TEST_CASE("a chain of dependent loads waits for memory, at its line", "[runner][stalls][gpu]") {
  test::require_backend(Backend::gpu);
  const StallSamples samples = sampled("stall_chain");
  INFO(describe(samples));
  CHECK(samples.samples() > 2000);
  CHECK(samples.launches >= 3);
  CHECK_FALSE(samples.buffer_full);
  CHECK(stall_shares_pct(samples)["long_scoreboard"] > 60);
  const auto heat = line_heat(samples);
  REQUIRE_FALSE(heat.empty());
  CHECK(heat.front().line == planned_line("stall_chain"));
  CHECK(std::filesystem::path(heat.front().file).filename() == "stall_chain.cu");
  for (const StallPc& pc : samples.pcs) CHECK(pc.kernel == "chase");
}

TEST_CASE("warps that wait for one warp wait at the barrier", "[runner][stalls][gpu]") {
  test::require_backend(Backend::gpu);
  const StallSamples samples = sampled("stall_barrier");
  INFO(describe(samples));
  CHECK(samples.samples() > 2000);
  CHECK(stall_shares_pct(samples)["barrier"] > 60);
}
