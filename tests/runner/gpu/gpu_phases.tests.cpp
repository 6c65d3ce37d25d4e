// The phases on a real GPU, with the kernel files of two labs: what is counted, traced and timed
// agrees with what the files plainly do.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <string>
#include <vector>

#include "core/build/plugin_builder.hpp"
#include "core/course/lab.hpp"
#include "core/measure/statistics.hpp"
#include "core/timing/phases_ahead.hpp"
#include "support/checking.hpp"
#include "support/in_full.hpp"

using namespace klab;
using Catch::Matchers::WithinRel;

namespace {

/// A request for `phase` of the fusion lab, whose flawed file launches several kernels and whose
/// optimized file launches one. `names` are files of the lab, given as variants in this order.
PhaseOutcome run_fusion(Phase phase, const std::vector<std::string>& names,
                        const std::vector<std::string>& metrics = {}) {
  const Tree tree = test::tree();
  const auto lab = load_lab(KLAB_SOURCE_DIR, "04_fusion");
  REQUIRE(lab);
  const auto toolchain = find_toolchain(tree);
  REQUIRE(toolchain);
  const ComputeCapability capability = built_for(tree);
  const auto workload = build_workload(tree, *toolchain, *lab, capability);
  REQUIRE(workload);
  Request request;
  request.phase = phase;
  request.lab = lab->id;
  request.workload = workload->library.string();
  request.sizes = {lab->sizes.timing};
  request.metrics = metrics;
  int number = 0;
  for (const std::string& name : names) {
    const auto source = name == "flawed" ? lab->flawed() : lab->solutions() / (name + ".cu");
    const auto plugin = build_plugin(tree, *toolchain, *lab, VariantName(name), source, capability);
    REQUIRE(plugin);
    request.plugins.push_back(
        {VariantName(name + std::to_string(number++)), plugin->library.string()});
  }
  return PhasesAhead(tree, 60, nullptr).run(false, request);
}

}  // namespace

TEST_CASE("files with one kernel and with several are counted in one process",
          "[runner][counters][gpu]") {
  test::require_backend(Backend::gpu);
  const auto outcome =
      run_fusion(Phase::counters, {"flawed", "optimized", "flawed"}, {"dram_bytes", "sm_clock"});
  if (outcome.error && (outcome.error->code == ErrorCode::profiler_denied ||
                        outcome.error->code == ErrorCode::profiler_attached))
    SKIP(outcome.error->what);
  if (outcome.error) FAIL(klab::test::in_full(*outcome.error));
  const auto sets = outcome.all<record::CounterSet>();
  REQUIRE(sets.size() == 3);
  for (const auto& set : sets) REQUIRE(set.values.at("dram_bytes").value);
  const double flawed = *sets[0].values.at("dram_bytes").value;
  CHECK_THAT(*sets[2].values.at("dram_bytes").value, WithinRel(flawed, 0.02));
  CHECK(flawed > 2 * *sets[1].values.at("dram_bytes").value);
}

TEST_CASE("the trace counts kernels, and no gaps that only watching made", "[runner][trace][gpu]") {
  test::require_backend(Backend::gpu);
  const auto outcome = run_fusion(Phase::trace, {"flawed", "optimized"});
  if (outcome.error && outcome.error->code == ErrorCode::profiler_attached)
    SKIP(outcome.error->what);
  const auto sets = outcome.all<record::CounterSet>();
  REQUIRE(sets.size() == 2);
  CHECK(sets[0].values.at("kernel_launches").value == 4);
  CHECK(sets[1].values.at("kernel_launches").value == 1);
  CHECK(sets[0].values.at("host_synchronizations").value == 0);
  // Kernels queued back to back leave about a microsecond between them.
  CHECK(*sets[0].values.at("gpu_idle_pct").value < 5);
}

TEST_CASE("a file timed against itself is as fast as itself, within half a percent",
          "[runner][time][gpu]") {
  test::require_backend(Backend::gpu);
  const auto outcome = run_fusion(Phase::time, {"flawed", "flawed"});
  if (outcome.error) FAIL(klab::test::in_full(*outcome.error));
  std::vector<double> first, second;
  for (const auto& sample : outcome.all<record::Sample>())
    (sample.variant == VariantName("flawed0") ? first : second).push_back(sample.seconds);
  const auto ratio = ratio_interval(first, second);
  REQUIRE(ratio);
  CHECK(*relative_half_width(*ratio) <= 0.005);
  CHECK_THAT(ratio->median, WithinRel(1.0, 0.005));
  for (const auto& verified : outcome.all<record::Verified>()) CHECK(verified.correct);
  CHECK(outcome.all<record::Timed>().size() == 1);
}

TEST_CASE("work on a stream that nobody waits for is found at any size", "[runner][verify][gpu]") {
  test::require_backend(Backend::gpu);
  const auto outcome = run_fusion(Phase::verify, {"wrong_side_stream"});
  const auto verified = outcome.all<record::Verified>();
  REQUIRE(verified.size() == 1);
  CHECK(verified[0].problem == ResultProblem::unjoined_stream);
}
