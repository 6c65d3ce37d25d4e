// Timeline: from a runner's records to recordings with their analysis, and to JSON and back.
#include "core/investigate/timeline.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/check/prepared_lab.hpp"
#include "core/timeline/json.hpp"
#include "core/verdict/json/json_reading.hpp"

namespace klab {
namespace {

using nlohmann::json;

/// More variants than any lab has kernel files.
constexpr std::size_t most_variants = 64;

VariantTimeline& recording_of(std::vector<VariantTimeline>& all, const VariantName& variant) {
  for (VariantTimeline& one : all)
    if (one.variant == variant) return one;
  all.emplace_back().variant = variant;
  return all.back();
}

TimelineTrack& track_of(VariantTimeline& recording, TrackKind kind, const std::string& label) {
  for (TimelineTrack& track : recording.tracks)
    if (track.kind == kind && track.label == label) return track;
  return recording.tracks.emplace_back(TimelineTrack{kind, label, {}});
}

/// False if a span has a name that was never sent.
bool add(VariantTimeline& recording, const SpanBatch& batch) {
  recording.names.insert(recording.names.end(), batch.new_names.begin(), batch.new_names.end());
  const std::size_t names = recording.names.size();
  if (std::any_of(batch.spans.begin(), batch.spans.end(),
                  [=](const TimelineSpan& span) { return span.name >= names; }))
    return false;
  if (batch.spans.empty()) return true;
  auto& spans = track_of(recording, batch.kind, batch.label).spans;
  spans.insert(spans.end(), batch.spans.begin(), batch.spans.end());
  return true;
}

/// Gaps do not overlap, so that they fit one row.
TimelineLane lane_of_gaps(const std::vector<TimelineGap>& gaps) {
  TimelineTrack track;
  for (const TimelineGap& gap : gaps) track.spans.push_back({gap.from_ns, gap.to_ns});
  TrackLanes lanes = lanes_of(track);
  return lanes.lanes.empty() ? TimelineLane{} : std::move(lanes.lanes.front());
}

/// What is left of an analysis where there is no clock: what happened how often.
json order_json(const TimelineAnalysis& analysis) {
  json runs = json::array(), names = json::array();
  for (const RunReading& reading : analysis.runs)
    runs.push_back({{"kernels", reading.kernels},
                    {"copies", reading.copies},
                    {"waits", reading.waits},
                    {"allocations", reading.allocations}});
  for (const NameRow& row : analysis.names)
    names.push_back({{"name", row.name},
                     {"kind", to_string(row.kind)},
                     {"count", row.count},
                     {"bytes", row.bytes ? json(*row.bytes) : json(nullptr)}});
  return {{"runs", std::move(runs)}, {"names", std::move(names)}};
}

json analysis_json(const TimelineAnalysis& analysis) {
  json runs = json::array(), gaps = json::array(), names = json::array();
  for (const RunReading& reading : analysis.runs)
    runs.push_back({{"idle_pct", json_reading::number(reading.idle_pct())},
                    {"work_ns", reading.work_ns() ? json(*reading.work_ns()) : json(nullptr)},
                    {"busy_ns", reading.busy_ns},
                    {"kernels", reading.kernels},
                    {"copies", reading.copies},
                    {"waits", reading.waits},
                    {"allocations", reading.allocations}});
  for (const TimelineGap& gap : analysis.gaps)
    gaps.push_back({{"from_ns", gap.from_ns},
                    {"duration_ns", gap.duration_ns()},
                    {"reason", to_string(gap.reason)}});
  for (const NameRow& row : analysis.names)
    names.push_back({{"name", row.name},
                     {"kind", to_string(row.kind)},
                     {"count", row.count},
                     {"bytes", row.bytes ? json(*row.bytes) : json(nullptr)},
                     {"total_ns", row.total_ns},
                     {"self_ns", row.self_ns},
                     {"mean_ns", row.mean_ns},
                     {"share_pct", row.share_pct}});
  return {{"idle_pct", json_reading::number(analysis.idle_pct)},
          {"runs", std::move(runs)},
          {"gaps", std::move(gaps)},
          {"names", std::move(names)}};
}

}  // namespace

const TracedVariant* Timeline::variant(const VariantName& name) const {
  for (const auto& one : variants)
    if (one->recorded.variant == name) return one.get();
  return nullptr;
}

bool Timeline::order_only() const {
  return std::any_of(variants.begin(), variants.end(),
                     [](const auto& one) { return one->recorded.order_only; });
}

std::shared_ptr<const TracedVariant> trace_of(VariantTimeline recorded) {
  put_in_order(recorded);
  auto traced = std::make_shared<TracedVariant>();
  traced->analysis = analyse(recorded);
  for (const TimelineTrack& track : recorded.tracks) traced->lanes.push_back(lanes_of(track));
  traced->gaps = lane_of_gaps(traced->analysis.gaps);
  traced->recorded = std::move(recorded);
  return traced;
}

std::vector<Record> timeline_records(const VariantTimeline& recorded) {
  std::vector<Record> records;
  SpanBatch names{.variant = recorded.variant};
  std::size_t bytes = 0;
  for (const std::string& name : recorded.names) {
    if (bytes + name.size() > most_batch_name_bytes) {
      records.push_back(std::exchange(names, {.variant = recorded.variant}));
      bytes = 0;
    }
    bytes += name.size();
    names.new_names.push_back(name);
  }
  records.push_back(std::move(names));
  for (const TimelineTrack& track : recorded.tracks)
    for (std::size_t from = 0; from < track.spans.size(); from += most_batch_spans) {
      const auto begin = track.spans.begin() + static_cast<std::ptrdiff_t>(from);
      const auto count = std::min(most_batch_spans, track.spans.size() - from);
      records.push_back(SpanBatch{recorded.variant,
                                  track.kind,
                                  track.label,
                                  {},
                                  {begin, begin + static_cast<std::ptrdiff_t>(count)},
                                  recorded.order_only});
    }
  records.push_back(TimelineEnd{recorded.variant, recorded.runs, recorded.dropped_over_limit,
                                recorded.dropped_by_profiler, recorded.clock, recorded.order_only});
  return records;
}

Result<Timeline> assemble_timeline(const std::vector<Record>& records) {
  std::vector<VariantTimeline> recordings;
  Timeline timeline;
  for (const Record& record : records) {
    if (const auto* batch = std::get_if<SpanBatch>(&record)) {
      if (!add(recording_of(recordings, batch->variant), *batch))
        return make_error(ErrorCode::protocol_mismatch,
                          "The timeline refers to a name that the runner never sent.");
    } else if (const auto* end = std::get_if<TimelineEnd>(&record)) {
      VariantTimeline& recording = recording_of(recordings, end->variant);
      recording.runs = end->runs;
      recording.dropped_over_limit = end->dropped_over_limit;
      recording.dropped_by_profiler = end->dropped_by_profiler;
      recording.clock = end->clock;
      recording.order_only = end->order_only;
      timeline.variants.push_back(trace_of(std::move(recording)));
    }
  }
  return timeline;
}

Result<Timeline> find_timeline(const PreparedLab& lab, const OnCheckEvent& on_event,
                               const std::atomic<bool>& canceled) {
  const PhaseOutcome outcome = lab.run(lab.request(Phase::timeline), on_event, canceled);
  auto timeline = assemble_timeline(outcome.records);
  if (!timeline || !timeline->variants.empty()) return timeline;
  if (outcome.error) return *outcome.error;
  return make_error(ErrorCode::runner_failed, "The runner recorded no timeline.");
}

json to_json(const Timeline& timeline) {
  json variants = json::array();
  for (const auto& one : timeline.variants) {
    json item = to_json(one->recorded);
    item["analysis"] =
        one->recorded.order_only ? order_json(one->analysis) : analysis_json(one->analysis);
    variants.push_back(std::move(item));
  }
  return {{"variants", std::move(variants)}};
}

Result<Timeline> timeline_from(const json& object) {
  const json& variants = json_reading::part(object, "variants");
  if (!variants.is_array() || variants.size() > most_variants)
    return make_error(ErrorCode::io, "A timeline has no list of variants.");
  Timeline timeline;
  for (const json& item : variants) {
    auto recorded = variant_timeline_from(item);
    if (!recorded) return recorded.error();
    timeline.variants.push_back(trace_of(std::move(*recorded)));
  }
  return timeline;
}

}  // namespace klab
