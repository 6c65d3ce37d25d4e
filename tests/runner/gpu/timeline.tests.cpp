// The timeline phase on a real GPU: launches whose calls, work and gaps are known.
#include <map>

#include "support/recorded_timeline.hpp"

using namespace klab;

namespace {

constexpr std::int64_t runs = test::recorded_runs;

std::shared_ptr<const TracedVariant> recorded_run(const Lab& lab,
                                                  const std::filesystem::path& source,
                                                  const Size& size) {
  return test::recorded_timeline(lab, source, size, false);
}

using test::count_of;
using test::lab_in;

}  // namespace

TEST_CASE("a timeline shows a planned gap, planned work and a known number of calls",
          "[runner][timeline][gpu]") {
  test::require_backend(Backend::gpu);
  const auto root = test::tree().root;
  const auto traced =
      recorded_run(lab_in(root / "tests" / "fixtures", "01_scale"),
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
  const Lab lab = lab_in(test::tree().root, "05_sync_heavy");
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
  const Lab lab = lab_in(test::tree().root, "05_sync_heavy");
  const auto flawed = recorded_run(lab, lab.flawed(), lab.sizes.timing);
  const auto optimized = recorded_run(lab, lab.optimized(), lab.sizes.timing);
  CHECK(*optimized->analysis.median_of(&RunReading::waits) <= 2);
  CHECK(*optimized->analysis.median_work_ns() * 5 < *flawed->analysis.median_work_ns());
}
