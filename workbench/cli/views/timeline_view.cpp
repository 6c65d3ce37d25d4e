// A timeline as text: summary, table by name, gaps.
#include "cli/views/timeline_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.hpp"
#include "core/base/text/kernel_name.hpp"
#include "core/measure/format.hpp"

namespace klab::cli {
namespace {

constexpr std::size_t shown_names = 10;
constexpr std::size_t shown_steps = 24;
constexpr std::size_t longest_group = 12;  ///< lines that are said once where they repeat
constexpr std::size_t longest_name = 36;

std::string title_of(const VariantName& variant) { return printable(variant.shown()); }

std::string time_text(std::optional<double> ns) {
  return format_seconds(ns ? std::optional(*ns * 1e-9) : std::nullopt);
}

std::string cut(std::string text) {
  text = printable(text);
  if (display_width(text) <= longest_name) return text;
  return text.substr(0, longest_name - 3) + "...";
}

/// Of the gaps within runs; absent if there is none.
std::optional<std::int64_t> longest_gap_ns(const TimelineAnalysis& analysis) {
  std::optional<std::int64_t> longest_ns;
  for (const GapSum& sum : analysis.gap_sums)
    if (sum.reason != GapReason::between_runs)
      longest_ns = std::max(longest_ns.value_or(0), sum.longest_ns);
  return longest_ns;
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
  const bool timed = !timeline.order_only();
  if (timed) {
    add("First to last work of a run",
        [](const Analysis& a) { return time_text(a.median_work_ns()); });
    add("GPU idle meanwhile", [](const Analysis& a) { return format_percent(a.idle_pct); });
  }
  add("Kernels", [](const Analysis& a) { return format_count(a.median_of(&RunReading::kernels)); });
  add("Copies and fills",
      [](const Analysis& a) { return format_count(a.median_of(&RunReading::copies)); });
  add("Calls that wait for the GPU",
      [](const Analysis& a) { return format_count(a.median_of(&RunReading::waits)); });
  add("Allocations and releases",
      [](const Analysis& a) { return format_count(a.median_of(&RunReading::allocations)); });
  if (timed) add("Longest gap", [](const Analysis& a) { return time_text(longest_gap_ns(a)); });
  return table.text(terminal);
}

/// How often the `length` rows at `from` stand there one after the other.
std::size_t times_in_a_row(const std::vector<OrderedRow>& rows, std::size_t from,
                           std::size_t length) {
  std::size_t end = from + length;
  const auto same = [](const OrderedRow& a, const OrderedRow& b) {
    return a.name == b.name && a.bytes == b.bytes && a.times == b.times && a.inside == b.inside;
  };
  while (end < rows.size() && same(rows[end], rows[end - length])) ++end;
  return (end - from) / length;
}

std::vector<Cell> step_row(const OrderedRow& row) {
  std::string words = cut(short_name(row.name));
  if (row.bytes) words += ", " + format_bytes(static_cast<double>(*row.bytes));
  if (row.times > 1) words += "  × " + format_count(static_cast<double>(row.times));
  return {{fmt::format("step {}", row.step), Tone::faint}, {(row.inside ? "  " : "") + words}};
}

/// The first run's calls and work, step by step; what repeats is said once.
std::string steps_view(const Terminal& terminal, const VariantTimeline& recorded) {
  const std::vector<OrderedRow> rows = order_of_run(recorded, 0);
  Table table("rl");
  const auto aside = [&](const std::string& words) { table.add({{""}, {words, Tone::faint}}); };
  std::size_t lines = 0, at = 0;
  while (at < rows.size() && lines < shown_steps) {
    std::size_t length = 1, times = 1;
    for (std::size_t tried = 2; tried <= longest_group && times == 1; ++tried)
      if (const std::size_t found = times_in_a_row(rows, at, tried); found > 2)
        length = tried, times = found;
    for (std::size_t i = 0; i < length; ++i) table.add(step_row(rows[at + i]));
    if (times > 1)
      aside(fmt::format("these {} lines {} times in all", length,
                        format_count(static_cast<double>(times))));
    lines += length;
    at += length * times;
  }
  if (at < rows.size())
    aside("and " + format_count(static_cast<double>(rows.size() - at)) + " more");
  return table.text(terminal);
}

std::string names_view(const Terminal& terminal, const TracedVariant& traced) {
  const bool timed = !traced.recorded.order_only;
  Table table(timed ? "llrrrrr" : "llrr");
  std::vector<Cell> head;
  for (const char* title : {"", "name", "count"}) head.push_back({title, Tone::faint});
  if (timed)
    for (const char* title : {"total", "self", "mean", "of the runs"})
      head.push_back({title, Tone::faint});
  else
    head.push_back({"bytes", Tone::faint});
  table.add(std::move(head));
  std::size_t shown = 0;
  for (const NameRow& row : traced.analysis.names) {
    if (row.kind == TrackKind::range || shown == shown_names) continue;
    ++shown;
    std::vector<Cell> cells{
        {std::string(to_string(row.kind)), Tone::faint},
        {cut(short_name(row.name)), is_gpu_work(row.kind) ? Tone::strong : Tone::plain},
        {format_count(static_cast<double>(row.count))}};
    if (timed)
      for (const double ns :
           {static_cast<double>(row.total_ns), static_cast<double>(row.self_ns), row.mean_ns})
        cells.push_back({time_text(ns)});
    if (timed)
      cells.push_back({format_percent(row.share_pct)});
    else
      cells.push_back({row.bytes ? format_bytes(static_cast<double>(*row.bytes)) : ""});
    table.add(std::move(cells));
  }
  return table.text(terminal);
}

std::string gaps_view(const Terminal& terminal, const TimelineAnalysis& analysis) {
  Table table("lrrrl");
  table.add({{"gaps of the GPU", Tone::faint},
             {"count", Tone::faint},
             {"total", Tone::faint},
             {"longest", Tone::faint},
             {"", Tone::faint}});
  for (const GapSum& sum : analysis.gap_sums)
    table.add({{std::string(to_string(sum.reason))},
               {format_count(static_cast<double>(sum.count))},
               {time_text(sum.total_ns)},
               {time_text(sum.longest_ns)},
               {std::string(explanation(sum.reason)), Tone::faint}});
  if (analysis.gap_sums.empty())
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
  std::string text =
      "\n" + row_text(terminal, {{investigation.lab, Tone::strong}, {where, Tone::faint}}, 0) +
      "\n" + summary(terminal, *timeline);
  for (const auto& one : timeline->variants)
    text += "\n" + terminal.paint(Tone::strong, title_of(one->recorded.variant)) + "\n" +
            names_view(terminal, *one) + "\n" +
            (one->recorded.order_only ? steps_view(terminal, one->recorded)
                                      : gaps_view(terminal, one->analysis)) +
            losses(terminal, one->recorded);
  if (timeline->order_only())
    return text + "\n" + paragraph(terminal, std::string(order_only_words), 2, Tone::faint);
  return text + "\n" +
         paragraph(terminal,
                   "Traced with the profiler watching every call: this shows order and proportion. "
                   "How fast the kernel is, `./klab check` says.",
                   2, Tone::faint);
}

}  // namespace klab::cli
