// Chrome trace: events one by one, so that a large timeline needs no second copy in memory.
#include "core/investigate/chrome_trace.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/text/json_text.hpp"

namespace klab {
namespace {

/// Nanoseconds as microseconds without rounding.
std::string microseconds(std::int64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

/// Follows the titles of what shows order only.
constexpr const char* order_note = " (order only, no clock: 1 us is one step)";

class Writer {
 public:
  explicit Writer(const std::function<void(std::string_view)>& write) : write_(write) {}

  void name(const char* what, std::size_t process, std::size_t thread, std::string_view name) {
    event(fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}}}})", what,
                      process, thread, json_text(name)));
    // Otherwise viewers sort threads by their own rules.
    if (std::string_view(what) == "thread_name")
      event(fmt::format(
          R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}})",
          process, thread, thread));
  }

  void span(std::size_t process, std::size_t thread, std::string_view name,
            std::string_view category, std::int64_t from_ns, std::int64_t duration_ns,
            const std::string& arguments) {
    event(fmt::format(
        R"({{"ph":"X","name":{},"cat":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}})",
        json_text(name), json_text(category), process, thread, microseconds(from_ns),
        microseconds(duration_ns), arguments));
  }

 private:
  void event(const std::string& text) {
    write_(first_ ? "\n" : ",\n");
    write_(text);
    first_ = false;
  }

  const std::function<void(std::string_view)>& write_;
  bool first_ = true;
};

std::string arguments_of(const TimelineSpan& span) {
  std::string text;
  const auto add = [&](const char* key, auto value) {
    text += fmt::format(R"({}"{}":{})", text.empty() ? "" : ",", key, value);
  };
  if (span.stream) add("stream", *span.stream);
  if (span.bytes) add("bytes", *span.bytes);
  if (span.correlation) add("correlation", span.correlation);
  return text;
}

void write_variant(Writer& writer, const TracedVariant& traced, std::size_t process) {
  const VariantTimeline& recorded = traced.recorded;
  // The format knows no steps: each becomes a microsecond, and the titles say so.
  const std::int64_t unit = recorded.order_only ? 1000 : 1;
  writer.name("process_name", process, 0,
              recorded.variant.shown() + (recorded.order_only ? order_note : ""));
  std::size_t thread = 1;
  for (std::size_t t = 0; t < recorded.tracks.size(); ++t) {
    const TimelineTrack& track = recorded.tracks[t];
    for (const TimelineLane& lane : traced.lanes[t].lanes) {
      writer.name("thread_name", process, thread, track.label);
      for (const std::uint32_t index : lane.span) {
        const TimelineSpan& span = track.spans[index];
        writer.span(process, thread, recorded.names[span.name], to_string(track.kind),
                    span.start_ns * unit, span.duration_ns() * unit, arguments_of(span));
      }
      ++thread;
    }
  }
  if (recorded.order_only) return;
  writer.name("thread_name", process, thread, "GPU gaps");
  for (const TimelineGap& gap : traced.analysis.gaps)
    writer.span(process, thread, to_string(gap.reason), "gap", gap.from_ns, gap.duration_ns(), "");
}

}  // namespace

void write_chrome_trace(const Timeline& timeline, const std::string& title,
                        const std::function<void(std::string_view)>& write) {
  const bool steps = timeline.order_only();
  write(fmt::format(R"({{"displayTimeUnit":"{}","otherData":{{"title":{}}},"traceEvents":[)",
                    steps ? "ms" : "ns", json_text(title + (steps ? order_note : ""))));
  Writer writer(write);
  std::size_t process = 1;
  for (const auto& traced : timeline.variants) write_variant(writer, *traced, process++);
  write("\n]}\n");
}

}  // namespace klab
