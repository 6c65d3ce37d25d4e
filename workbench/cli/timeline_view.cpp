// A timeline as text: summary, table by name, gaps.
#include "cli/timeline_view.hpp"

#include <algorithm>
#include <map>

#include "core/format.hpp"
#include "core/text.hpp"

namespace klab::cli {
namespace {

constexpr std::size_t shown_names = 10;
constexpr std::size_t longest_name = 36;

std::string title_of(const std::string& variant) {
  return variant == "candidate" ? "mine" : printable(variant);
}

std::string time_text(std::optional<double> ns) {
  return format_seconds(ns ? std::optional(*ns * 1e-9) : std::nullopt);
}

std::string cut(std::string text) {
  text = printable(text);
  if (display_width(text) <= longest_name) return text;
  return text.substr(0, longest_name - 3) + "...";
}

/// The longest gap within runs; nullptr if there is none.
const TimelineGap* longest_gap(const TimelineAnalysis& analysis) {
  const TimelineGap* longest = nullptr;
  for (const TimelineGap& gap : analysis.gaps)
    if (gap.reason != GapReason::between_runs &&
        (!longest || gap.duration_ns() > longest->duration_ns()))
      longest = &gap;
  return longest;
}

std::string summary(const Terminal& terminal, const Timeline& timeline) {
  Table table("l" + std::string(timeline.variants.size(), 'r'));
  const auto add = [&](const char* label, auto value) {
    std::vector<Cell> row{{label}};
    for (const auto& one : timeline.variants) row.push_back({value(one->analysis)});
    table.add(std::move(row));
  };
  std::vector<Cell> head{{""}};
  for (const auto& one : timeline.variants)
    head.push_back({title_of(one->recorded.variant), Tone::strong});
  table.add(std::move(head));
  using Analysis = TimelineAnalysis;
  add("First to last work of a run",
      [](const Analysis& a) { return time_text(a.median_work_ns()); });
  add("GPU idle meanwhile", [](const Analysis& a) { return format_percent(a.idle_pct); });
  add("Kernels", [](const Analysis& a) { return format_count(a.median_of(&RunReading::kernels)); });
  add("Copies and fills",
      [](const Analysis& a) { return format_count(a.median_of(&RunReading::copies)); });
  add("Calls that wait for the GPU",
      [](const Analysis& a) { return format_count(a.median_of(&RunReading::waits)); });
  add("Allocations and releases",
      [](const Analysis& a) { return format_count(a.median_of(&RunReading::allocations)); });
  add("Longest gap", [](const Analysis& a) {
    const TimelineGap* gap = longest_gap(a);
    return gap ? time_text(gap->duration_ns()) : std::string(missing_text);
  });
  return table.text(terminal);
}

std::string names_view(const Terminal& terminal, const TimelineAnalysis& analysis) {
  Table table("llrrrrr");
  table.add({{"", Tone::faint},
             {"name", Tone::faint},
             {"count", Tone::faint},
             {"total", Tone::faint},
             {"self", Tone::faint},
             {"mean", Tone::faint},
             {"of the runs", Tone::faint}});
  std::size_t shown = 0;
  for (const NameRow& row : analysis.names) {
    if (row.kind == TrackKind::range || shown == shown_names) continue;
    ++shown;
    table.add({{std::string(to_string(row.kind)), Tone::faint},
               {cut(short_name(row.name)), is_gpu_work(row.kind) ? Tone::strong : Tone::plain},
               {format_count(static_cast<double>(row.count))},
               {time_text(row.total_ns)},
               {time_text(row.self_ns)},
               {time_text(row.mean_ns)},
               {format_percent(row.share_pct)}});
  }
  return table.text(terminal);
}

std::string gaps_view(const Terminal& terminal, const TimelineAnalysis& analysis) {
  struct Sum {
    std::int64_t count = 0, total_ns = 0, longest_ns = 0;
  };
  std::map<GapReason, Sum> sums;
  for (const TimelineGap& gap : analysis.gaps) {
    Sum& sum = sums[gap.reason];
    ++sum.count;
    sum.total_ns += gap.duration_ns();
    sum.longest_ns = std::max(sum.longest_ns, gap.duration_ns());
  }
  Table table("lrrrl");
  table.add({{"gaps of the GPU", Tone::faint},
             {"count", Tone::faint},
             {"total", Tone::faint},
             {"longest", Tone::faint},
             {"", Tone::faint}});
  for (const auto& [reason, sum] : sums)
    table.add({{std::string(to_string(reason))},
               {format_count(static_cast<double>(sum.count))},
               {time_text(sum.total_ns)},
               {time_text(sum.longest_ns)},
               {std::string(explanation(reason)), Tone::faint}});
  if (sums.empty())
    return paragraph(terminal, "The GPU had no gap of " + time_text(gap_threshold_ns) + " or more.",
                     2);
  return table.text(terminal);
}

std::string losses(const Terminal& terminal, const VariantTimeline& recorded) {
  std::string text;
  const auto tell = [&](std::int64_t count, const char* why) {
    if (count > 0)
      text +=
          paragraph(terminal, format_count(static_cast<double>(count)) + why, 2, Tone::doubtful);
  };
  tell(recorded.dropped_over_limit, " spans are missing: more than the recording may hold.");
  tell(recorded.dropped_by_profiler,
       " records are missing: CUPTI had no room or no time for them.");
  return text;
}

}  // namespace

std::string view_timeline(const Terminal& terminal, const Investigation& investigation) {
  const auto* timeline = std::get_if<Timeline>(&investigation.found);
  if (!timeline) return "";
  std::string where = investigation.device.name;
  if (!investigation.device.driver.empty()) where += ", driver " + investigation.device.driver;
  std::string text = "\n" + terminal.paint(Tone::strong, printable(investigation.lab)) + "  " +
                     terminal.paint(Tone::faint, printable(where)) + "\n\n" +
                     summary(terminal, *timeline);
  for (const auto& one : timeline->variants)
    text += "\n" + terminal.paint(Tone::strong, title_of(one->recorded.variant)) + "\n" +
            names_view(terminal, one->analysis) + "\n" + gaps_view(terminal, one->analysis) +
            losses(terminal, one->recorded);
  return text + "\n" +
         paragraph(terminal,
                   "Traced with the profiler watching every call: this shows order and proportion. "
                   "How fast the kernel is says `klab check`.",
                   2, Tone::faint);
}

}  // namespace klab::cli
