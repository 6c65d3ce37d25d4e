// Names, tracks, and what of them belongs to a run.
#include "runner/phases/timeline_builder.hpp"

#include <algorithm>

namespace klab::runner {
namespace {

/// Kernels, calls and ranges have far fewer names; a program that makes up names for its ranges
/// shares the last one.
constexpr std::size_t most_names = 20'000;

/// The run in which `at` lies; nullptr if the harness was preparing.
const TimelineRun* run_at(const std::vector<TimelineRun>& runs, std::int64_t at,
                          std::int64_t tolerance) {
  for (const TimelineRun& run : runs)
    if (at >= run.begin_ns - tolerance && at < run.end_ns) return &run;
  return nullptr;
}

}  // namespace

void TimelineBuilder::add(TrackKind kind, const std::string& label, const std::string& name,
                          TimelineSpan span) {
  if (spans_ >= most_recorded_spans) {
    ++over_limit_;
    return;
  }
  ++spans_;
  span.name = name_id(name);
  tracks_[{kind, label}].push_back(span);
}

VariantTimeline TimelineBuilder::finish(VariantName variant, std::vector<TimelineRun> runs,
                                        const Moment& moment, std::int64_t tolerance) {
  VariantTimeline timeline{.variant = std::move(variant)};
  timeline.dropped_over_limit = over_limit_;
  const std::int64_t origin = runs.empty() ? 0 : runs.front().begin_ns;
  for (auto& [id, spans] : tracks_) {
    TimelineTrack track{id.kind, id.label, {}};
    for (TimelineSpan span : spans) {
      span.start_ns = moment(span.start_ns);
      span.end_ns = std::max(moment(span.end_ns), span.start_ns);
      const TimelineRun* run = run_at(runs, span.start_ns, tolerance);
      if (!run) continue;
      const bool of_host = id.kind == TrackKind::call || id.kind == TrackKind::wait;
      if (of_host && span.start_ns >= run->launched_ns)
        span.name = name_id(names_[span.name] + std::string(harness_suffix));
      span.start_ns = std::max(span.start_ns, run->begin_ns) - origin;
      span.end_ns = std::max(span.end_ns - origin, span.start_ns);
      track.spans.push_back(span);
    }
    if (!track.spans.empty()) timeline.tracks.push_back(std::move(track));
  }
  timeline.names = names_;
  for (TimelineRun& run : runs)
    run = {run.begin_ns - origin, run.launched_ns - origin, run.end_ns - origin};
  timeline.runs = std::move(runs);
  return timeline;
}

std::uint32_t TimelineBuilder::name_id(std::string name) {
  if (name.size() > longest_span_name) name.resize(longest_span_name);
  if (names_.size() >= most_names && !name_ids_.contains(name)) name = "other names";
  const auto [known, is_new] =
      name_ids_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (is_new) names_.push_back(std::move(name));
  return known->second;
}

std::string calls_label(std::size_t number) {
  return number == 0 ? "CUDA calls" : "CUDA calls, thread " + std::to_string(number + 1);
}

std::string copies_label(bool from_host, bool to_host) {
  if (!from_host && !to_host) return std::string(device_copies_label);
  if (from_host && to_host) return "Copies on the host";
  return from_host ? "Copies to the device" : "Copies to the host";
}

std::string copy_name(const std::string& from, const std::string& to) {
  return "copy " + from + " to " + to;
}

}  // namespace klab::runner
