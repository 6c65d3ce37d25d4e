// The timeline phase on a real GPU: launches whose calls, work and gaps are known.
#include "core/timeline.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "core/lab.hpp"
#include "core/plugin_builder.hpp"
#include "core/runner_client.hpp"
#include "support/checking.hpp"

using namespace klab;

namespace {

constexpr std::int64_t runs = 3;

/// Records `source` as a kernel file of `lab` at `size`.
std::shared_ptr<const TracedVariant> recorded_run(const Lab& lab,
                                                  const std::filesystem::path& source,
                                                  const Size& size) {
  const Tree tree = test::tree();
  const auto toolchain = find_toolchain(tree);
  REQUIRE(toolchain);
  const int capability = gpu_facts(tree)->compute_capability;
  const auto workload = build_workload(tree, *toolchain, lab, capability);
  REQUIRE(workload);
  const auto plugin = build_plugin(tree, *toolchain, lab, "flawed", source, capability);
  if (!plugin) FAIL(plugin.error().what << plugin.error().detail);
  const auto outcome = run_phase(tree, false,
                                 {.phase = Phase::timeline,
                                  .lab = lab.id,
                                  .workload = workload->library.string(),
                                  .plugins = {{"flawed", plugin->library.string()}},
                                  .sizes = {size}},
                                 60);
  if (outcome.error && outcome.error->code == ErrorCode::profiler_attached)
    SKIP(outcome.error->what);
  if (outcome.error) FAIL(outcome.error->what);
  const auto timeline = assemble_timeline(outcome.records);
  REQUIRE(timeline);
  REQUIRE(timeline->variants.size() == 1);
  const auto& traced = timeline->variants.front();
  CHECK(traced->recorded.dropped_over_limit == 0);
  CHECK(traced->recorded.dropped_by_profiler == 0);
  REQUIRE(traced->analysis.runs.size() == runs);
  return traced;
}

Lab lab_of(const std::filesystem::path& root, const std::string& folder) {
  const auto lab = load_lab(root, folder);
  REQUIRE(lab);
  return *lab;
}

std::int64_t count_of(const TracedVariant& traced, TrackKind kind, const std::string& name) {
  std::int64_t count = 0;
  for (const NameRow& row : traced.analysis.names)
    if (row.kind == kind && short_name(row.name).starts_with(name)) count += row.count;
  return count;
}

}  // namespace

TEST_CASE("a timeline shows a planned gap, planned work and a known number of calls",
          "[runner][timeline][gpu]") {
  test::require_backend(Backend::gpu);
  const auto root = test::tree().root;
  const auto traced =
      recorded_run(lab_of(root / "tests" / "fixtures", "01_scale"),
                   root / "tests" / "runner" / "fixtures" / "planned_timeline.cu", {1 << 20});
  for (const RunReading& run : traced->analysis.runs) {
    CHECK(run.kernels == 2);
    CHECK(run.copies == 4);
    CHECK(run.waits == 1);
    CHECK(run.allocations == 2);
    REQUIRE(run.idle_pct());
    CHECK(*run.idle_pct() > 80);  // 3 ms of pause, two kernels of about 0.1 ms
  }
  std::int64_t pauses = 0, between = 0;
  for (const TimelineGap& gap : traced->analysis.gaps) {
    between += gap.reason == GapReason::between_runs;
    if (gap.duration_ns() < 2'500'000 || gap.reason == GapReason::between_runs) continue;
    ++pauses;
    CHECK(gap.reason == GapReason::host_busy);
    CHECK(gap.duration_ns() < 10'000'000);
  }
  CHECK(pauses == runs);
  CHECK(between == runs - 1);
  CHECK(count_of(*traced, TrackKind::kernel, "planned_kernel") == 2 * runs);
  CHECK(count_of(*traced, TrackKind::call, "cudaLaunchKernel") == 2 * runs);
  CHECK(count_of(*traced, TrackKind::call, "cudaMemcpyAsync") == 3 * runs);
  CHECK(count_of(*traced, TrackKind::call, "cudaMalloc") == runs);
  CHECK(count_of(*traced, TrackKind::memory, "allocate device") == runs);
  CHECK(count_of(*traced, TrackKind::memory, "release device") == runs);
  CHECK(count_of(*traced, TrackKind::range, "run ") == runs);
  CHECK(count_of(*traced, TrackKind::range, "planned pause") == runs);
  for (const NameRow& row : traced->analysis.names)
    if (row.name == "planned pause") CHECK(row.mean_ns > 2.9e6);
}

TEST_CASE("work begins after its call began and within its run, on one clock",
          "[runner][timeline][gpu]") {
  test::require_backend(Backend::gpu);
  const Lab lab = lab_of(test::tree().root, "05_sync_heavy");
  const auto traced = recorded_run(lab, lab.flawed(), lab.sizes.timing);
  const std::int64_t steps = lab.sizes.timing.at(1);
  for (const RunReading& run : traced->analysis.runs) {
    CHECK(run.kernels == steps);
    CHECK(run.waits == 2 * steps);  // a synchronization and a blocking copy a step
    CHECK(run.copies >= steps);
    CHECK(*run.idle_pct() > 40);
  }
  // The clocks agree to a few microseconds: no kernel starts before the call that asked for it.
  constexpr std::int64_t tolerance_ns = 5'000;
  std::map<std::uint32_t, std::int64_t> called_ns;
  std::int64_t linked = 0, early = 0;
  for (const TimelineTrack& track : traced->recorded.tracks)
    if (track.kind == TrackKind::call)
      for (const TimelineSpan& span : track.spans)
        if (span.correlation) called_ns.try_emplace(span.correlation, span.start_ns);
  for (const TimelineTrack& track : traced->recorded.tracks)
    if (track.kind == TrackKind::kernel)
      for (const TimelineSpan& span : track.spans)
        if (const auto call = called_ns.find(span.correlation); call != called_ns.end()) {
          ++linked;
          early += span.start_ns + tolerance_ns < call->second;
        }
  CHECK(linked == runs * steps);
  CHECK(early == 0);
  CHECK(traced->recorded.clock.uncertainty_ns < 5'000);
}

TEST_CASE("the remedy for a host that waits shows in the timeline", "[runner][timeline][gpu]") {
  test::require_backend(Backend::gpu);
  const Lab lab = lab_of(test::tree().root, "05_sync_heavy");
  const auto flawed = recorded_run(lab, lab.flawed(), lab.sizes.timing);
  const auto optimized = recorded_run(lab, lab.optimized(), lab.sizes.timing);
  CHECK(*optimized->analysis.median_of(&RunReading::waits) <= 2);
  CHECK(*optimized->analysis.median_work_ns() * 5 < *flawed->analysis.median_work_ns());
}
