// Timelines: idle time and gaps of recordings whose numbers are known, and the way over the wire.
#include "core/investigate/timeline.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <functional>
#include <nlohmann/json.hpp>

#include "core/investigate/chrome_trace.hpp"
#include "core/timeline/clock_map.hpp"
#include "core/timeline/json.hpp"
#include "support/synthetic_timeline.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::WithinAbs;
using nlohmann::json;

namespace {

bool operator_equal(const VariantTimeline& a, const VariantTimeline& b) {
  return to_json(a) == to_json(b);
}

std::vector<GapReason> reasons(const TimelineAnalysis& analysis) {
  std::vector<GapReason> found;
  for (const TimelineGap& gap : analysis.gaps) found.push_back(gap.reason);
  return found;
}

}  // namespace

TEST_CASE("idle time is what no kernel, copy or fill covers between first and last work",
          "[core][timeline]") {
  const auto traced = trace_of(waiting_timeline());
  const TimelineAnalysis& analysis = traced->analysis;
  REQUIRE(analysis.runs.size() == 1);
  const RunReading& run = analysis.runs[0];
  CHECK(run.kernels == 3);
  CHECK(run.copies == 0);
  CHECK(run.waits == 1);  // the harness's own wait is not the kernel file's
  CHECK(run.allocations == 0);
  CHECK(run.work_ns() == 80'000);
  CHECK(run.busy_ns == 30'000);
  CHECK_THAT(*analysis.idle_pct, WithinAbs(62.5, 1e-9));
}

TEST_CASE("work that overlaps is busy once", "[core][timeline]") {
  TimelineMaker maker(VariantName::flawed);
  maker.run(0, 50, 60);
  maker.kernel("a", 10, 20);
  maker.add(TrackKind::kernel, "Stream 8", "b", 20, 20);
  maker.add(TrackKind::copy, "Copies to the host", "copy", 12, 2);
  maker.add(TrackKind::wait, "Waits", "wait", 0, 60);
  const auto traced = trace_of(maker.made);
  CHECK(traced->analysis.runs[0].busy_ns == 30'000);
  CHECK(traced->analysis.idle_pct == 0.0);
  CHECK(traced->analysis.gaps.empty());
}

TEST_CASE("a gap counts from its threshold on", "[core][timeline]") {
  TimelineMaker maker(VariantName::flawed);
  maker.run(0, 50, 60);
  maker.kernel("a", 10, 5);
  maker.kernel("b", 16.999, 5);
  maker.kernel("c", 21.999 + 2, 5);
  const auto traced = trace_of(maker.made);
  const auto& gaps = traced->analysis.gaps;
  REQUIRE(gaps.size() == 1);
  CHECK(gaps[0].duration_ns() == gap_threshold_ns);
}

TEST_CASE("a run without work has no idle share", "[core][timeline]") {
  TimelineMaker maker(VariantName::flawed);
  maker.run(0, 50, 60);
  maker.call("cudaDeviceSynchronize", 1, 2);
  const auto traced = trace_of(maker.made);
  CHECK_FALSE(traced->analysis.idle_pct);
  CHECK_FALSE(traced->analysis.runs[0].work_ns());
  CHECK(traced->analysis.runs[0].waits == 1);
}

TEST_CASE("a gap has the reason that the host's calls tell", "[core][timeline]") {
  const auto traced = trace_of(waiting_timeline());
  const auto& gaps = traced->analysis.gaps;
  CHECK(reasons(traced->analysis) == std::vector{GapReason::host_wait, GapReason::host_busy});
  CHECK(gaps[0].from_ns == 18'000);
  CHECK(gaps[0].duration_ns() == 10'000);
  CHECK(gaps[1].duration_ns() == 40'000);

  // The same gap, with something else before the next launch.
  const auto with = [](const std::string& call, double start_us, double duration_us) {
    TimelineMaker maker(VariantName::flawed);
    maker.run(0, 80, 90);
    maker.kernel("first", 10, 10, 1);
    maker.call(call, start_us, duration_us, 5);
    maker.call("cudaLaunchKernel", 55, 4, 2);
    maker.kernel("second", 60, 10, 2);
    return reasons(trace_of(maker.made)->analysis);
  };
  CHECK(with("cudaMemcpy", 15, 38) == std::vector{GapReason::synchronous_copy});
  CHECK(with("cudaMalloc", 15, 38) == std::vector{GapReason::allocation});
  CHECK(with("cudaEventSynchronize", 15, 38) == std::vector{GapReason::host_wait});
  CHECK(with("cudaFuncGetAttributes", 15, 38) == std::vector{GapReason::launch_latency});
  CHECK(with("cudaMemcpyAsync", 15, 38) == std::vector{GapReason::launch_latency});
  CHECK(with("cudaMalloc", 5, 3) == std::vector{GapReason::host_busy});
}

TEST_CASE("work that was asked for before the gap waits for its start", "[core][timeline]") {
  TimelineMaker maker(VariantName::flawed);
  maker.run(0, 80, 90);
  maker.call("cudaLaunchKernel", 0, 4, 1);
  maker.call("cudaLaunchKernel", 5, 4, 2);
  maker.call("cudaDeviceSynchronize", 9, 60);
  maker.kernel("first", 10, 10, 1);
  maker.kernel("second", 23, 10, 2);
  maker.kernel("third", 40, 10, 9);
  CHECK(reasons(trace_of(maker.made)->analysis) ==
        std::vector{GapReason::launch_latency, GapReason::unknown});
}

TEST_CASE("the time between runs is marked and not counted as idle", "[core][timeline]") {
  TimelineMaker maker(VariantName::flawed);
  maker.run(0, 20, 30);
  maker.run(100, 120, 130);
  maker.kernel("a", 10, 10);
  maker.kernel("a", 110, 10);
  const auto traced = trace_of(maker.made);
  CHECK(traced->analysis.idle_pct == 0.0);
  CHECK(reasons(traced->analysis) == std::vector{GapReason::between_runs});
  CHECK(traced->analysis.gaps[0].duration_ns() == 90'000);
  CHECK(traced->analysis.median_of(&RunReading::kernels) == 1);
}

TEST_CASE("the table has total, self, mean and share of every name", "[core][timeline]") {
  TimelineMaker maker(VariantName::flawed);
  maker.run(0, 90, 100);
  maker.call("cudaMemcpy", 10, 40);
  maker.call("cuMemcpyDtoH", 15, 30);
  maker.call("cudaMemcpy", 60, 20);
  maker.kernel("k", 10, 10);
  const auto traced = trace_of(maker.made);
  const auto& names = traced->analysis.names;
  REQUIRE(names.size() == 3);
  CHECK(names[0].name == "cudaMemcpy");
  CHECK(names[0].count == 2);
  CHECK(names[0].total_ns == 60'000);
  CHECK(names[0].self_ns == 30'000);
  CHECK(names[0].mean_ns == 30'000);
  CHECK_THAT(names[0].share_pct, WithinAbs(60, 1e-9));
  CHECK(names[1].self_ns == 30'000);
  CHECK(names[2].kind == TrackKind::kernel);
  CHECK_THAT(names[2].share_pct, WithinAbs(10, 1e-9));
}

TEST_CASE("a recording survives the wire and JSON", "[core][timeline]") {
  VariantTimeline recorded = waiting_timeline();
  recorded.clock = {-1200, 35};
  recorded.dropped_over_limit = 3;
  recorded.dropped_by_profiler = 4;
  TimelineMaker copies(VariantName("x"));
  recorded.tracks.push_back({TrackKind::copy, "Copies to the host", {}});
  recorded.tracks.back().spans.push_back(
      {.start_ns = 1, .end_ns = 2, .name = 0, .bytes = 1 << 20, .stream = 7});
  put_in_order(recorded);
  std::vector<Record> received;
  for (const Record& record : timeline_records(recorded)) {
    auto decoded = decode_record(encode(record));
    REQUIRE(decoded);
    received.push_back(std::move(*decoded));
  }
  const auto timeline = assemble_timeline(received);
  REQUIRE(timeline);
  REQUIRE(timeline->variants.size() == 1);
  CHECK(operator_equal(timeline->variants[0]->recorded, recorded));
  CHECK(timeline->variant(VariantName::flawed));
  CHECK_FALSE(timeline->variant(VariantName::mine));

  const auto again = timeline_from(to_json(*timeline));
  REQUIRE(again);
  CHECK(operator_equal(again->variants.at(0)->recorded, recorded));
  CHECK(again->variants[0]->analysis.idle_pct == timeline->variants[0]->analysis.idle_pct);
}

TEST_CASE("a long recording is sent in records below the wire's bound", "[core][timeline]") {
  TimelineMaker maker(VariantName::flawed);
  maker.run(0, 1, 2);
  for (int i = 0; i < 3000; ++i) maker.made.names.push_back(std::string(longest_span_name, 'x'));
  auto& track = maker.made.tracks.emplace_back(TimelineTrack{TrackKind::kernel, "Stream 7", {}});
  const std::int64_t late_ns = 999'999'999'999'000;
  for (int i = 0; i < 25'000; ++i)
    track.spans.push_back({late_ns, late_ns, 2999, UINT32_MAX, INT64_MAX, UINT32_MAX - 1});
  const auto records = timeline_records(maker.made);
  CHECK(records.size() > 5);
  for (const Record& record : records) CHECK(encode(record).size() < longest_record_bytes / 2);
  const auto timeline = assemble_timeline(records);
  REQUIRE(timeline);
  CHECK(timeline->variants[0]->recorded.tracks[0].spans.size() == 25'000);
}

TEST_CASE("a recording that was cut short is left out", "[core][timeline]") {
  auto records = timeline_records(waiting_timeline());
  records.pop_back();
  const auto timeline = assemble_timeline(records);
  REQUIRE(timeline);
  CHECK(timeline->variants.empty());
}

TEST_CASE("spans of a name that was never sent are refused", "[core][timeline]") {
  SpanBatch batch{.variant = VariantName::flawed, .label = "x"};
  batch.spans.push_back({.name = 0});
  const auto timeline = assemble_timeline({batch});
  REQUIRE_FALSE(timeline);
  CHECK(timeline.error().code == ErrorCode::protocol_mismatch);
}

TEST_CASE("what is no timeline is refused, whatever it is", "[core][timeline]") {
  const json good = to_json(waiting_timeline());
  REQUIRE(variant_timeline_from(good));
  const auto broken = [&](const std::function<void(json&)>& act) {
    json bad = good;
    act(bad);
    const auto read = variant_timeline_from(bad);
    REQUIRE_FALSE(read);
    CHECK(read.error().code == ErrorCode::io);
    CHECK_FALSE(timeline_from({{"variants", {bad}}}));
  };
  broken([](json& j) { j.erase("names"); });
  broken([](json& j) { j["names"] = json::array(); });
  broken([](json& j) { j["names"][0] = std::string(longest_span_name + 1, 'x'); });
  broken([](json& j) { j["tracks"][0]["kind"] = "nonsense"; });
  broken([](json& j) { j["tracks"][0]["start_ns"][0] = -1; });
  broken([](json& j) { j["tracks"][0]["start_ns"][0] = 0.5; });
  broken([](json& j) { j["tracks"][0]["start_ns"][0] = UINT64_MAX; });
  broken([](json& j) { j["tracks"][0]["duration_ns"].erase(0); });
  broken([](json& j) { j["tracks"][0]["duration_ns"][0] = 1e300; });
  broken([](json& j) { j["tracks"][0]["name"][0] = 99; });
  broken([](json& j) { j["tracks"][0]["start_ns"] = "many"; });
  broken([](json& j) { j["tracks"] = 3; });
  broken([](json& j) { j["runs"][0]["end_ns"] = 0; });
  broken([](json& j) { j["clock"] = nullptr; });
  CHECK_FALSE(variant_timeline_from(json(3)));
  CHECK_FALSE(timeline_from({{"variants", 3}}));
  CHECK_FALSE(timeline_from(json::object()));
}

TEST_CASE("times of another clock become the host's, drift corrected", "[core][timeline]") {
  const ClockMap map({1'000, 500'000, 20}, {101'000, 600'050, 30});
  CHECK(map.host_ns(500'000) == 1'000);
  CHECK(map.host_ns(600'050) == 101'000);
  CHECK(map.host_ns(550'025) == 51'000);
  CHECK(map.quality().drift_ns == -50);
  CHECK(map.quality().uncertainty_ns == 30);
  // A clock that was set meanwhile gives no slope.
  const ClockMap jumped({1'000, 500'000, 20}, {101'000, 900'000'000, 30});
  CHECK(jumped.host_ns(500'100) == 1'100);

  std::int64_t host = 0;
  int reading = 0;
  const auto best = read_both_clocks([&] { return host += (++reading == 6 ? 10 : 1000); },
                                     [&] { return host * 2; });
  CHECK(best.uncertainty_ns == 5);
}

TEST_CASE("a Chrome trace has a process a variant, a thread a row, and complete events",
          "[core][timeline]") {
  Timeline timeline;
  timeline.variants.push_back(trace_of(waiting_timeline()));
  TimelineMaker mine(VariantName::mine);
  mine.run(0, 10, 20);
  mine.kernel("a \"quoted\" \xff name", 1.001, 2);
  mine.kernel("beside", 2, 3).bytes = 42;
  timeline.variants.push_back(trace_of(mine.made));
  std::string text;
  write_chrome_trace(timeline, "05-sync-heavy, \"synthetic\"",
                     [&](std::string_view piece) { text += piece; });
  const json trace = json::parse(text, nullptr, false);
  REQUIRE(trace.is_object());
  CHECK(trace["otherData"]["title"] == "05-sync-heavy, \"synthetic\"");
  std::map<std::string, std::string> processes;
  std::map<std::pair<int, int>, double> reached_us;
  int spans = 0, gaps = 0;
  for (const json& event : trace["traceEvents"]) {
    const int pid = event.at("pid"), tid = event.at("tid");
    if (event["ph"] == "M") {
      if (event["name"] == "process_name") processes[std::to_string(pid)] = event["args"]["name"];
      continue;
    }
    REQUIRE(event["ph"] == "X");
    CHECK(event["ts"].is_number());
    CHECK(event["dur"].get<double>() >= 0);
    (event["cat"] == "gap" ? gaps : spans) += 1;
    // Events of one thread may nest but not cross: here each row holds them one after another.
    CHECK(event["ts"].get<double>() >= reached_us[{pid, tid}] - 1e-9);
    reached_us[{pid, tid}] = event["ts"].get<double>() + event["dur"].get<double>();
    if (event["name"] != "beside") continue;
    CHECK(event["args"]["bytes"] == 42);
    CHECK(event["ts"] == 2.0);  // in microseconds, as the format wants
    CHECK(event["dur"] == 3.0);
  }
  CHECK(processes == std::map<std::string, std::string>{{"1", "flawed"}, {"2", "mine"}});
  CHECK(spans == 8 + 2);
  CHECK(gaps == 2);
}
