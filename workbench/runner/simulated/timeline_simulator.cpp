// The simulator's events on the tracks that a trace of a GPU has.
#include "runner/simulated/timeline_simulator.hpp"

#include <nlohmann/json.hpp>

#include "core/base/text/json_text.hpp"
#include "core/timeline/analysis.hpp"
#include "runner/device/runner_error.hpp"
#include "runner/phases/timeline_builder.hpp"
#include "runner/simulated/simulator_link.hpp"

namespace klab::runner {
namespace {

using nlohmann::json;

constexpr const char* ranges_label = "Ranges: klab";

bool is_host(const std::string& memory) { return memory == "pageable" || memory == "pinned"; }

std::string wait_name(const std::string& call) {
  if (call == "cudaStreamSynchronize") return "wait for a stream";
  return call == "cudaEventSynchronize" ? "wait for an event" : "wait for the device";
}

TimelineSpan span_of(const json& event) {
  TimelineSpan span;
  span.start_ns = event.at("begin").get<std::int64_t>();
  span.end_ns = event.at("end").get<std::int64_t>();
  span.correlation = event.at("call").get<std::uint32_t>();
  if (event.contains("bytes")) span.bytes = event.at("bytes").get<std::int64_t>();
  if (event.contains("stream")) span.stream = event.at("stream").get<std::uint32_t>();
  return span;
}

void add(TimelineBuilder& builder, const json& event) {
  const auto kind = event.at("kind").get<std::string>();
  const auto name = event.value("name", ""), from = event.value("from", ""),
             to = event.value("to", "");
  const TimelineSpan span = span_of(event);
  if (kind == "call") {
    builder.add(TrackKind::call, calls_label(event.at("thread").get<std::size_t>()), name, span);
    if (is_waiting_call(name)) builder.add(TrackKind::wait, "Waits", wait_name(name), span);
  } else if (kind == "kernel") {
    builder.add(TrackKind::kernel, "Stream " + std::to_string(span.stream.value_or(0)), name, span);
  } else if (kind == "copy") {
    builder.add(TrackKind::copy, copies_label(is_host(from), is_host(to)), copy_name(from, to),
                span);
  } else if (kind == "fill") {
    builder.add(TrackKind::copy, "Fills", "fill " + to, span);
  } else if (kind == "memory") {
    builder.add(TrackKind::memory, "Memory", name + " " + to, span);
  }
}

/// What a GPU's trace shows as NVTX ranges of the harness; no one hears those of the kernel file.
void add_ranges(TimelineBuilder& builder, const std::vector<TimelineRun>& runs) {
  int number = 0;
  for (const TimelineRun& run : runs) {
    const auto range = [&](const std::string& name, std::int64_t from, std::int64_t to) {
      if (to > from) builder.add(TrackKind::range, ranges_label, name, {from, to});
    };
    range("run " + std::to_string(++number), run.begin_ns, run.end_ns);
    range("launch", run.begin_ns, run.launched_ns);
    range("harness waits for the device", run.launched_ns, run.end_ns);
  }
}

}  // namespace

VariantTimeline order_from(const std::string& text, VariantName variant,
                           std::vector<TimelineRun> runs) {
  try {
    const json order = json_from(text);
    TimelineBuilder builder;
    add_ranges(builder, runs);
    for (const json& event : order.at("events")) add(builder, event);
    VariantTimeline timeline = builder.finish(
        std::move(variant), std::move(runs), [](std::int64_t step) { return step; }, 0);
    timeline.dropped_over_limit += order.at("dropped").get<std::int64_t>();
    timeline.order_only = true;
    return timeline;
  } catch (const json::exception& failure) {
    throw RunnerError(make_error(ErrorCode::runner_failed,
                                 "The simulator's order of events cannot be read.", {},
                                 failure.what()));
  }
}

void SimulatorOrder::begin() { watch_order(); }

std::int64_t SimulatorOrder::now() const { return order_step(); }

VariantTimeline SimulatorOrder::end(VariantName variant, std::vector<TimelineRun> runs) {
  return order_from(take_order(), std::move(variant), std::move(runs));
}

}  // namespace klab::runner
