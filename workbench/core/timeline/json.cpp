// Timelines as JSON: writing columns, and reading them without trusting a number.
#include "core/timeline/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/base/names.hpp"

namespace klab {
namespace {

using nlohmann::json;

/// Ten days; what lies beyond is no recording of ours.
constexpr std::int64_t latest_ns = 1'000'000'000'000'000;
constexpr std::size_t most_tracks = 4096;
constexpr std::size_t most_runs = 10'000;
/// Of all variants' recordings together far more than the runner sends.
constexpr std::size_t most_read_spans = 2'000'000;

constexpr std::pair<TrackKind, std::string_view> kinds[] = {
    {TrackKind::range, "range"},      {TrackKind::call, "call"},     {TrackKind::wait, "wait"},
    {TrackKind::memory, "memory"},    {TrackKind::kernel, "kernel"}, {TrackKind::copy, "copy"},
    {TrackKind::overhead, "overhead"}};

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

std::int64_t whole(const json& value, std::int64_t least, std::int64_t most) {
  if (!value.is_number_integer()) refuse("a number is no whole number");
  // One beyond 2^63 would turn negative.
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
    refuse("a number is out of range");
  const auto number = value.get<std::int64_t>();
  if (number < least || number > most) refuse("a number is out of range");
  return number;
}

std::int64_t nanoseconds(const json& value) { return whole(value, 0, latest_ns); }

TrackKind kind_in(const json& object) {
  const auto kind = track_kind_from(object.at("kind").get<std::string>());
  if (!kind) refuse("a track is of an unknown kind");
  return *kind;
}

std::string short_text(const json& value) {
  auto text = value.get<std::string>();
  if (text.size() > longest_span_name) refuse("a name is too long");
  return text;
}

template <class Has>
bool any(const std::vector<TimelineSpan>& spans, Has has) {
  return std::any_of(spans.begin(), spans.end(), has);
}

/// A time is never called a step, nor a step a time.
struct Keys {
  const char *start, *duration, *begin, *launched, *end;
};
constexpr Keys of_time{"start_ns", "duration_ns", "begin_ns", "launched_ns", "end_ns"};
constexpr Keys of_steps{"start_step", "steps", "begin_step", "launched_step", "end_step"};
const Keys& keys_of(bool order_only) { return order_only ? of_steps : of_time; }

bool is_order_only(const json& object) { return object.value("order_only", false); }

/// Adds the columns of `spans` to `object`.
void write_spans(json& object, const std::vector<TimelineSpan>& spans, const Keys& keys) {
  json start = json::array(), duration = json::array(), name = json::array();
  for (const TimelineSpan& span : spans) {
    start.push_back(span.start_ns);
    duration.push_back(span.duration_ns());
    name.push_back(span.name);
  }
  object[keys.start] = std::move(start);
  object[keys.duration] = std::move(duration);
  object["name"] = std::move(name);
  const auto column = [&](const char* key, auto has, auto value) {
    if (!any(spans, has)) return;
    json& list = object[key] = json::array();
    for (const TimelineSpan& span : spans)
      list.push_back(has(span) ? json(value(span)) : json(nullptr));
  };
  column(
      "correlation", [](const TimelineSpan& s) { return s.correlation != 0; },
      [](const TimelineSpan& s) { return s.correlation; });
  column(
      "bytes", [](const TimelineSpan& s) { return s.bytes.has_value(); },
      [](const TimelineSpan& s) { return *s.bytes; });
  column(
      "stream", [](const TimelineSpan& s) { return s.stream.has_value(); },
      [](const TimelineSpan& s) { return *s.stream; });
}

/// The column under `key`, as long as the others; nullptr if there is none.
const json* column_in(const json& object, const char* key, std::size_t length) {
  const auto found = object.find(key);
  if (found == object.end()) return nullptr;
  if (!found->is_array() || found->size() != length) refuse("columns differ in length");
  return &*found;
}

std::vector<TimelineSpan> read_spans(const json& object, std::size_t most, const Keys& keys) {
  const json& start = object.at(keys.start);
  if (!start.is_array() || start.size() > most) refuse("there are too many spans");
  const std::size_t count = start.size();
  const json* duration = column_in(object, keys.duration, count);
  const json* name = column_in(object, "name", count);
  if (!duration || !name) refuse("a column is missing");
  const json* correlation = column_in(object, "correlation", count);
  const json* bytes = column_in(object, "bytes", count);
  const json* stream = column_in(object, "stream", count);
  std::vector<TimelineSpan> spans(count);
  for (std::size_t i = 0; i < count; ++i) {
    TimelineSpan& span = spans[i];
    span.start_ns = nanoseconds(start[i]);
    span.end_ns = span.start_ns + nanoseconds((*duration)[i]);
    span.name = static_cast<std::uint32_t>(whole((*name)[i], 0, UINT32_MAX));
    if (correlation && !(*correlation)[i].is_null())
      span.correlation = static_cast<std::uint32_t>(whole((*correlation)[i], 0, UINT32_MAX));
    if (bytes && !(*bytes)[i].is_null()) span.bytes = whole((*bytes)[i], 0, INT64_MAX);
    if (stream && !(*stream)[i].is_null())
      span.stream = static_cast<std::uint32_t>(whole((*stream)[i], 0, UINT32_MAX));
  }
  return spans;
}

/// What TimelineEnd and VariantTimeline have in common.
template <class T>
void write_end(json& object, const T& end) {
  const Keys& keys = keys_of(end.order_only);
  json runs = json::array();
  for (const TimelineRun& run : end.runs)
    runs.push_back(
        {{keys.begin, run.begin_ns}, {keys.launched, run.launched_ns}, {keys.end, run.end_ns}});
  object["runs"] = std::move(runs);
  object["dropped_over_limit"] = end.dropped_over_limit;
  object["dropped_by_profiler"] = end.dropped_by_profiler;
  if (end.order_only)
    object["order_only"] = true;
  else
    object["clock"] = {{"drift_ns", end.clock.drift_ns},
                       {"uncertainty_ns", end.clock.uncertainty_ns}};
}

template <class T>
void read_end(const json& object, T& end) {
  end.order_only = is_order_only(object);
  const Keys& keys = keys_of(end.order_only);
  const json& runs = object.at("runs");
  if (!runs.is_array() || runs.size() > most_runs) refuse("the runs are no list");
  for (const json& item : runs) {
    const TimelineRun run{nanoseconds(item.at(keys.begin)), nanoseconds(item.at(keys.launched)),
                          nanoseconds(item.at(keys.end))};
    if (run.begin_ns > run.launched_ns || run.launched_ns > run.end_ns)
      refuse("a run ends before it begins");
    end.runs.push_back(run);
  }
  end.dropped_over_limit = whole(object.at("dropped_over_limit"), 0, INT64_MAX);
  end.dropped_by_profiler = whole(object.at("dropped_by_profiler"), 0, INT64_MAX);
  if (end.order_only) return;
  const json& clock = object.at("clock");
  end.clock.drift_ns = whole(clock.at("drift_ns"), -latest_ns, latest_ns);
  end.clock.uncertainty_ns = whole(clock.at("uncertainty_ns"), 0, latest_ns);
}

VariantTimeline read_variant(const json& object) {
  VariantTimeline timeline;
  timeline.variant = VariantName(short_text(object.at("variant")));
  const json& names = object.at("names");
  if (!names.is_array() || names.size() > most_read_spans) refuse("the names are no list");
  for (const json& name : names) timeline.names.push_back(short_text(name));
  read_end(object, timeline);
  const json& tracks = object.at("tracks");
  if (!tracks.is_array() || tracks.size() > most_tracks) refuse("the tracks are no list");
  std::size_t left = most_read_spans;
  for (const json& item : tracks) {
    TimelineTrack track{kind_in(item), short_text(item.at("label")),
                        read_spans(item, left, keys_of(timeline.order_only))};
    left -= track.spans.size();
    if (any(track.spans, [&](const auto& span) { return span.name >= timeline.names.size(); }))
      refuse("a span has no name");
    timeline.tracks.push_back(std::move(track));
  }
  return timeline;
}

}  // namespace

std::string_view to_string(TrackKind kind) { return name_in(kinds, kind); }

std::optional<TrackKind> track_kind_from(std::string_view name) { return value_in(kinds, name); }

json to_json(const SpanBatch& batch) {
  json object{{"variant", batch.variant},
              {"kind", to_string(batch.kind)},
              {"label", batch.label},
              {"new_names", batch.new_names}};
  if (batch.order_only) object["order_only"] = true;
  write_spans(object, batch.spans, keys_of(batch.order_only));
  return object;
}

SpanBatch span_batch_from(const json& object) {
  SpanBatch batch;
  batch.variant = VariantName(short_text(object.at("variant")));
  batch.kind = kind_in(object);
  batch.label = short_text(object.at("label"));
  for (const json& name : object.at("new_names")) batch.new_names.push_back(short_text(name));
  batch.order_only = is_order_only(object);
  batch.spans = read_spans(object, most_batch_spans, keys_of(batch.order_only));
  return batch;
}

json to_json(const TimelineEnd& end) {
  json object{{"variant", end.variant}};
  write_end(object, end);
  return object;
}

TimelineEnd timeline_end_from(const json& object) {
  TimelineEnd end;
  end.variant = VariantName(short_text(object.at("variant")));
  read_end(object, end);
  return end;
}

json to_json(const VariantTimeline& timeline) {
  json object{{"variant", timeline.variant}, {"names", timeline.names}};
  write_end(object, timeline);
  json& tracks = object["tracks"] = json::array();
  for (const TimelineTrack& track : timeline.tracks) {
    json item{{"kind", to_string(track.kind)}, {"label", track.label}};
    write_spans(item, track.spans, keys_of(timeline.order_only));
    tracks.push_back(std::move(item));
  }
  return object;
}

Result<VariantTimeline> variant_timeline_from(const json& object) {
  try {
    return read_variant(object);
  } catch (const std::exception& failure) {
    return make_error(ErrorCode::io,
                      std::string("A timeline cannot be read: ") + failure.what() + ".",
                      "Record it again with " + Act{Verb::trace} + ".");
  }
}

}  // namespace klab
