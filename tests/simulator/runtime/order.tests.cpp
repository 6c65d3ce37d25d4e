// The timeline of the simulator: order only, from the real runner, and no time anywhere.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/text/kernel_name.hpp"
#include "core/investigate/chrome_trace.hpp"
#include "support/recorded_timeline.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;

namespace {

std::shared_ptr<const TracedVariant> planned() {
  const auto root = tree().root;
  return recorded_timeline(lab_in(root / "tests" / "fixtures", "01_scale"),
                           root / "tests" / "runner" / "fixtures" / "planned_timeline.cu",
                           {1 << 12}, true);
}

/// Keys of an object and of everything in it.
void gather_keys(const nlohmann::json& value, std::set<std::string>& keys) {
  if (value.is_object())
    for (const auto& [key, part] : value.items()) keys.insert(key);
  if (value.is_structured())
    for (const auto& part : value) gather_keys(part, keys);
}

}  // namespace

TEST_CASE("The simulator records what a launch asked for and in which order",
          "[simulator][timeline][whole]") {
  require_backend(Backend::simulator);
  const auto traced = planned();
  CHECK(traced->recorded.order_only);
  for (const RunReading& run : traced->analysis.runs) {
    CHECK(run.kernels == 2);
    CHECK(run.copies == 4);
    CHECK(run.waits == 1);
    CHECK(run.allocations == 2);
    CHECK_FALSE(run.idle_pct());
    CHECK_FALSE(run.work_ns());
  }
  CHECK_FALSE(traced->analysis.idle_pct);
  CHECK(traced->analysis.gaps.empty());
  CHECK(count_of(*traced, TrackKind::call, "cudaMemcpyAsync") == 3 * recorded_runs);
  CHECK(count_of(*traced, TrackKind::memory, "allocate device") == recorded_runs);
  CHECK(count_of(*traced, TrackKind::memory, "release device") == recorded_runs);
  CHECK(count_of(*traced, TrackKind::range, "run ") == recorded_runs);

  // What is asked for without waiting runs inside the call that waits: here the release.
  std::vector<std::string> order;
  for (const OrderedRow& row : order_of_run(traced->recorded, 0)) {
    std::string text = (row.inside ? "> " : "") + short_name(row.name);
    if (row.times > 1) text += " x" + std::to_string(row.times);
    if (row.bytes) text += " " + std::to_string(*row.bytes);
    order.push_back(text);
  }
  const std::vector<std::string> wanted = {"cudaLaunchKernel",   "cudaStreamSynchronize",
                                           "> planned_kernel",   "cudaLaunchKernel",
                                           "cudaMemcpyAsync x3", "cudaMemsetAsync",
                                           "cudaMalloc",         "cudaFree",
                                           "> planned_kernel",   "> copy device to device x3 4096",
                                           "> fill device 8192"};
  CHECK(order == wanted);
}

TEST_CASE("Work follows the call that asked for it, one step each",
          "[simulator][timeline][whole]") {
  require_backend(Backend::simulator);
  const auto traced = planned();
  std::map<std::uint32_t, std::int64_t> called;
  std::set<std::int64_t> starts;
  for (const TimelineTrack& track : traced->recorded.tracks) {
    if (track.kind == TrackKind::call)
      for (const TimelineSpan& span : track.spans) called[span.correlation] = span.start_ns;
    if (track.kind == TrackKind::range || track.kind == TrackKind::wait) continue;
    for (const TimelineSpan& span : track.spans) CHECK(starts.insert(span.start_ns).second);
  }
  for (const TimelineTrack& track : traced->recorded.tracks) {
    if (!is_gpu_work(track.kind)) continue;
    for (const TimelineSpan& span : track.spans) {
      CHECK(span.duration_ns() == 1);
      CHECK(span.stream);
      REQUIRE(called.contains(span.correlation));
      CHECK(called[span.correlation] < span.start_ns);
    }
  }
}

TEST_CASE("Nothing of an order calls itself a time, and it is read back as it was",
          "[simulator][timeline]") {
  require_backend(Backend::simulator);
  Timeline timeline;
  timeline.variants.push_back(planned());
  const nlohmann::json json = to_json(timeline);
  std::set<std::string> keys;
  gather_keys(json, keys);
  for (const std::string& key : keys) {
    CAPTURE(key);
    CHECK_FALSE(key.ends_with("_ns"));
    CHECK_FALSE(key.ends_with("_pct"));
    CHECK(key != "clock");
  }
  const auto read = timeline_from(json);
  REQUIRE(read);
  CHECK(read->order_only());
  CHECK(to_json(*read) == json);

  std::string chrome;
  write_chrome_trace(timeline, "lab", [&](std::string_view piece) { chrome += piece; });
  CHECK_THAT(chrome, ContainsSubstring("no clock: 1 us is one step"));
  CHECK(chrome.find("GPU gaps") == std::string::npos);
  CHECK(nlohmann::json::accept(chrome));
}
