// Times: a bar a variant with its interval and every sample, and how the samples spread.
#include <cmath>

#include "core/measure/format.hpp"
#include "core/measure/statistics.hpp"
#include "core/verdict/lookup.hpp"
#include "ui/look/plot.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/panels.hpp"
#include "ui/words/typeset.hpp"

namespace klab::ui {
namespace {

const VariantName variants_in_order[] = {VariantName::flawed, VariantName::mine,
                                         VariantName::optimized};

const std::vector<double>* samples_of(const Run& run, const VariantName& variant) {
  if (run.result)
    if (const auto at = run.result->timing.variants.find(variant);
        at != run.result->timing.variants.end() && !at->second.samples_s.empty())
      return &at->second.samples_s;
  const auto live = run.samples_s.find(variant);
  return live == run.samples_s.end() || live->second.empty() ? nullptr : &live->second;
}

std::optional<Interval> interval_of(const Run& run, const VariantName& variant) {
  return run.result ? seconds_of(*run.result, variant) : std::nullopt;
}

BarRow row_for(const Run& run, const VariantName& variant, const std::vector<double>& samples) {
  BarRow row{.label = variant_title(variant),
             .color = theme().of_variant(variant),
             .samples = samples,
             .interval = interval_of(run, variant)};
  row.value =
      typeset(format_seconds(row.interval ? std::optional(row.interval->median) : median(samples)));
  row.detail = std::to_string(samples.size()) + " samples";
  if (row.interval)
    if (const auto half = relative_half_width(*row.interval))
      row.detail = "±" + format_percent(*half * 100) + ", " + row.detail;
  return row;
}

void draw_ratio(const Run& run) {
  const Theme& t = theme();
  if (run.result && run.result->timing.ratio) {
    const Interval& ratio = *run.result->timing.ratio;
    text(t.font.title, t.color.text, format_ratio(ratio.median));
    ImGui::SameLine(0, t.px(10));
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + t.px(3));
    text(t.font.body, t.color.soft,
         "the flawed kernel's speed, 95 % interval " + format_ratio(ratio.low) + " to " +
             format_ratio(ratio.high));
    return;
  }
  const auto* flawed = samples_of(run, VariantName::flawed);
  const auto* mine = samples_of(run, VariantName::mine);
  if (!run.active || !flawed || !mine) return;
  text(t.font.title, t.color.accent, format_ratio(*median(*flawed) / *median(*mine)));
  ImGui::SameLine(0, t.px(10));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + t.px(3));
  text(t.font.body, t.color.soft, "so far, while samples are taken");
}

/// How it was measured, in one line of small print.
std::string small_print(const CheckResult& result) {
  const Timing& timing = result.timing;
  std::string words = timing.cold_l2 ? "Cold L2 cache, " : "Warm L2 cache, ";
  words += "variants interleaved in random order";
  if (!timing.stopped_because.empty()) words += "; stopped: " + timing.stopped_because;
  if (timing.cliffs_delta) words += "; Cliff's delta " + format_number(*timing.cliffs_delta);
  if (timing.throttle_reasons.empty()) return words + ".";
  words += "; throttled:";
  for (const std::string& reason : timing.throttle_reasons) words += " " + reason;
  return words + ".";
}

void draw_spread(const Run& run) {
  const Theme& t = theme();
  std::vector<HistogramSeries> series;
  for (const VariantName& variant : variants_in_order) {
    const auto* samples = samples_of(run, variant);
    if (!samples || samples->size() < 10) continue;
    const double middle = *median(*samples);
    const auto off_pct = [middle](double seconds) { return (seconds / middle - 1) * 100; };
    HistogramSeries one{variant_title(variant), t.of_variant(variant), {}, {}};
    for (const double sample : *samples) one.values.push_back(off_pct(sample));
    if (const auto interval = interval_of(run, variant))
      one.interval =
          Interval{off_pct(interval->median), off_pct(interval->low), off_pct(interval->high)};
    series.push_back(std::move(one));
  }
  if (series.empty()) return;
  gap(12);
  text(t.font.label, t.color.faint,
       "Each sample around its median, how often, and the median's 95 % interval");
  plot_histograms("spread", series, t.px(40), [](double v) { return format_number(v) + " %"; });
}

}  // namespace

void draw_times(const Model& model, Commands&) {
  const Theme& t = theme();
  const Run& run = *model.run();
  std::vector<BarRow> rows;
  for (const VariantName& variant : variants_in_order)
    if (const auto* samples = samples_of(run, variant))
      rows.push_back(row_for(run, variant, *samples));
  if (rows.empty()) return;
  {
    const Card card("times");
    text(t.font.label, t.color.faint, "Time per run");
    draw_ratio(run);
    gap(4);
    plot_bars("bars", rows,
              [](double seconds) { return seconds == 0 ? "0" : typeset(format_seconds(seconds)); });
    if (run.result) {
      draw_spread(run);
      gap(8);
      text(t.font.small, t.color.faint, small_print(*run.result), true);
    }
  }
  gap(10);
}

}  // namespace klab::ui
