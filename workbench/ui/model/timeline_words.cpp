// TimelineWords: times, steps and spans in words.
#include "ui/model/timeline_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text/kernel_name.hpp"
#include "core/measure/format.hpp"
#include "ui/words/typeset.hpp"

namespace klab::ui {

std::string axis_label(double at_ns, double most_ns, double step_ns) {
  struct Unit {
    double ns;
    const char* name;
  };
  Unit unit{1, "ns"};
  for (const Unit& larger : {Unit{1e3, "µs"}, Unit{1e6, "ms"}, Unit{1e9, "s"}})
    if (most_ns >= larger.ns) unit = larger;
  const double digits = std::ceil(std::log10(unit.ns / std::max(step_ns, 1e-3)) - 1e-9);
  return fmt::format("{:.{}f} {}", at_ns / unit.ns, std::clamp(static_cast<int>(digits), 0, 9),
                     unit.name);
}

std::string step_label(double step) { return fmt::format("step {:.0f}", step); }

std::string steps_text(double steps) {
  return fmt::format("{:.0f} step{}", steps, std::round(steps) == 1 ? "" : "s");
}

std::string describe(const TracedVariant& traced, const TimelineTrack& track,
                     const TimelineSpan& span) {
  const auto seconds = [](std::int64_t ns) {
    return typeset(format_seconds(static_cast<double>(ns) * 1e-9));
  };
  std::string text = short_name(traced.recorded.names[span.name]);
  text += "\n" + track.label;
  if (traced.recorded.order_only) {
    text += "\n" + step_label(static_cast<double>(span.start_ns));
    if (span.duration_ns() > 1) text += fmt::format(" to {}", span.end_ns - 1);
  } else {
    if (span.duration_ns() > 0) text += "\nlasts " + seconds(span.duration_ns());
    text += "\nat " +
            axis_label(static_cast<double>(span.start_ns), static_cast<double>(span.start_ns), 1);
  }
  if (span.stream && track.kind != TrackKind::kernel)
    text += "\nstream " + std::to_string(*span.stream);
  if (span.bytes) {
    text += "\n" + format_bytes(static_cast<double>(*span.bytes));
    if (track.kind == TrackKind::copy && span.duration_ns() > 0 && !traced.recorded.order_only)
      text += ", " + format_bytes_per_s(static_cast<double>(*span.bytes) * 1e9 /
                                        static_cast<double>(span.duration_ns()));
  }
  return text;
}

}  // namespace klab::ui
