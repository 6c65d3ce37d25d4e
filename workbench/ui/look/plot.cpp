// Plot: drawing. Shapes are few and plain, so that the samples are what one sees.
#include "ui/look/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/measure/statistics.hpp"
#include "ui/look/widgets.hpp"

namespace klab::ui {
namespace {

/// More points than this are thinned evenly: the eye gains nothing, the frame would lose.
constexpr std::size_t most_points = 4000;
constexpr int histogram_bins = 40;

/// A position in [-1, 1] that looks random but is the same in every frame.
float jitter(std::size_t index) {
  const double x = std::fmod(static_cast<double>(index) * 0.61803398875, 1.0);
  return static_cast<float>(2 * x - 1);
}

ImVec2 point(float x, float y) { return ImVec2(x, y); }

void draw_x_axis(ImDrawList& list, const Scale& x, float top, float bottom, const Format& format,
                 int about) {
  const Theme& t = theme();
  for (const double tick : nice_ticks(x.low, x.high, about)) {
    if (tick < x.low || tick > x.high) continue;
    const float at = std::round(x(tick)) + 0.5f;
    list.AddLine(point(at, top), point(at, bottom), faded(t.color.line, 0.8f));
    const std::string label = format(tick);
    const float width = text_width(t.font.label, label);
    const float left = std::clamp(at - width / 2, x.from - t.px(4), x.to - width + t.px(4));
    draw_text(list, t.font.label, point(left, bottom + t.px(5)), t.color.faint, label);
  }
}

void draw_points(ImDrawList& list, std::span<const double> values, ImU32 color, const Scale& x,
                 float middle, float spread) {
  const Theme& t = theme();
  const std::size_t step = std::max<std::size_t>(1, values.size() / most_points);
  const float radius = t.px(values.size() > 200 ? 1.6f : 2.2f);
  const float opacity = values.size() > 500 ? 0.35f : 0.75f;
  for (std::size_t i = 0; i < values.size(); i += step)
    list.AddCircleFilled(point(x(values[i]), middle + spread * jitter(i)), radius,
                         faded(color, opacity), 8);
}

void draw_interval(ImDrawList& list, const Interval& interval, const Scale& x, float middle,
                   float half) {
  const Theme& t = theme();
  const float low = x(interval.low), high = std::max(x(interval.high), low + t.px(2));
  const float width = t.px(1.6f);
  list.AddLine(point(low, middle), point(high, middle), t.color.text, width);
  for (const float end : {low, high})
    list.AddLine(point(end, middle - half), point(end, middle + half), t.color.text, width);
}

struct BarLayout {
  float label_width = 0, value_width = 0, row_height = 0;
};

void draw_bar_row(ImDrawList& list, const BarRow& row, const Scale& x, ImVec2 at,
                  const BarLayout& layout, float right) {
  const Theme& t = theme();
  const float middle = at.y + layout.row_height / 2, half = t.px(13);
  draw_text(list, t.font.strong, point(at.x, middle - t.font.strong->FontSize / 2), t.color.text,
            row.label);
  const auto shown = row.interval ? std::optional(row.interval->median) : median(row.samples);
  if (shown)
    list.AddRectFilled(point(x.from, middle - half),
                       point(std::max(x(*shown), x.from + t.px(2)), middle + half),
                       faded(row.color, 0.30f), t.px(4), ImDrawFlags_RoundCornersRight);
  if (shown)
    list.AddRectFilled(point(x(*shown) - t.px(1), middle - half),
                       point(x(*shown) + t.px(1), middle + half), row.color);
  draw_points(list, row.samples, row.color, x, middle, half * 0.72f);
  if (row.interval) draw_interval(list, *row.interval, x, middle, half * 0.62f);
  const float left = right - layout.value_width;
  const float line = t.font.strong->FontSize;
  draw_text(list, t.font.strong, point(left, middle - line - t.px(1)), t.color.text, row.value);
  draw_text(list, t.font.small, point(left, middle + t.px(2)), t.color.faint, row.detail);
}

/// Which sample lies under the pointer, told in words.
void hover_samples(std::span<const BarRow> rows, const Scale& x, ImVec2 origin, float row_height,
                   const Format& format) {
  if (!ImGui::IsItemHovered()) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  const auto at = static_cast<std::size_t>(std::max(0.0f, (mouse.y - origin.y) / row_height));
  if (at >= rows.size() || rows[at].samples.empty()) return;
  const BarRow& row = rows[at];
  std::size_t best = 0;
  for (std::size_t i = 1; i < row.samples.size(); ++i)
    if (std::abs(x(row.samples[i]) - mouse.x) < std::abs(x(row.samples[best]) - mouse.x)) best = i;
  std::string words = row.label + ", sample " + std::to_string(best + 1) + " of " +
                      std::to_string(row.samples.size()) + ": " + format(row.samples[best]);
  if (row.interval)
    words += "\nMedian " + format(row.interval->median) + ", 95 % interval " +
             format(row.interval->low) + " to " + format(row.interval->high);
  tooltip(words);
}

double highest(std::span<const BarRow> rows) {
  double high = 0;
  for (const BarRow& row : rows) {
    for (const double value : row.samples)
      if (std::isfinite(value)) high = std::max(high, value);
    if (row.interval) high = std::max(high, row.interval->high);
  }
  return high;
}

std::array<int, histogram_bins> count_bins(std::span<const double> values, double low,
                                           double high) {
  std::array<int, histogram_bins> bins{};
  for (const double value : values) {
    const double share = (value - low) / (high - low);
    if (share < 0 || share > 1 || !std::isfinite(share)) continue;
    ++bins[std::min<std::size_t>(histogram_bins - 1,
                                 static_cast<std::size_t>(share * histogram_bins))];
  }
  return bins;
}

void draw_histogram(ImDrawList& list, const HistogramSeries& one, const Scale& x, float bottom,
                    float height) {
  const auto bins = count_bins(one.values, x.low, x.high);
  const int most = std::max(1, *std::max_element(bins.begin(), bins.end()));
  const float step = (x.to - x.from) / histogram_bins;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (!bins[i]) continue;
    const float bar =
        std::max(theme().px(2), height * static_cast<float>(bins[i]) / static_cast<float>(most));
    const float left = x.from + step * static_cast<float>(i);
    list.AddRectFilled(point(left, bottom - bar), point(left + step - 1, bottom),
                       faded(one.color, 0.30f), theme().px(1));
  }
  list.AddLine(point(x.from, bottom), point(x.to, bottom), theme().color.line);
  const float middle = bottom - height / 2;
  draw_points(list, one.values, one.color, x, middle, height * 0.36f);
  if (one.interval) draw_interval(list, *one.interval, x, middle, height * 0.44f);
}

/// Upright and level pieces one by one: a stroked path of many right angles frays at its joints.
void draw_steps(ImDrawList& list, const StepCurve& curve, const Scale& x, const Scale& y) {
  const Theme& t = theme();
  const float half = t.px(1);
  for (std::size_t i = 0, from = 0; i < curve.x.size(); ++i) {
    const bool last = i + 1 == curve.x.size();
    if (!last && curve.y[i + 1] == curve.y[from]) continue;
    const float left = x(curve.x[from]), right = x(curve.x[last ? i : i + 1]);
    const float level = std::round(y(curve.y[from]));
    list.AddRectFilled(point(left - half, level - half), point(right + half, level + half),
                       t.color.mine);
    if (!last) {
      const float next = std::round(y(curve.y[i + 1]));
      list.AddRectFilled(point(right - half, std::min(level, next) - half),
                         point(right + half, std::max(level, next) + half), t.color.mine);
    }
    from = i + 1;
  }
}

/// The step that a pixel belongs to.
std::size_t step_at(const StepCurve& curve, const Scale& x, float pixel) {
  std::size_t at = 0;
  while (at + 1 < curve.x.size() && x(curve.x[at + 1]) <= pixel) ++at;
  return at;
}

/// A band below the curve: from where to where each reason holds, the current one marked.
void draw_reasons(ImDrawList& list, const StepCurve& curve, const Scale& x, float top) {
  const Theme& t = theme();
  const float bottom = top + t.px(20);
  for (std::size_t from = 0, to = 1; from < curve.x.size(); from = to++) {
    while (to < curve.x.size() && curve.why[to] == curve.why[from]) ++to;
    const float left = x(curve.x[from]);
    const float right = to < curve.x.size() ? x(curve.x[to]) : x.to + t.px(8);
    const bool here =
        curve.current_x >= curve.x[from] && (to == curve.x.size() || curve.current_x < curve.x[to]);
    list.AddRectFilled(point(left, top), point(right - t.px(1), bottom),
                       here ? t.color.accent_soft : t.color.off_soft, t.px(3));
    const float width = text_width(t.font.label, curve.why[from]);
    if (width + t.px(8) > right - left) continue;
    draw_text(list, t.font.label,
              point((left + right - width) / 2, top + (bottom - top - t.font.label->FontSize) / 2),
              here ? t.color.accent : t.color.soft, curve.why[from]);
  }
}

}  // namespace

void plot_bars(const char* id, std::span<const BarRow> rows, const Format& format) {
  if (rows.empty()) return;
  const Theme& t = theme();
  BarLayout layout;
  layout.row_height = t.px(46);
  for (const BarRow& row : rows) {
    layout.label_width = std::max(layout.label_width, text_width(t.font.strong, row.label));
    layout.value_width = std::max({layout.value_width, text_width(t.font.strong, row.value),
                                   text_width(t.font.small, row.detail)});
  }
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = layout.row_height * static_cast<float>(rows.size());
  const float right = origin.x + width;
  area(id, ImVec2(width, height + t.px(22)));
  const double high = highest(rows);
  const auto ticks = nice_ticks(0, high, 5);
  const Scale x{
      0, ticks.empty() ? 1 : ticks.back(), origin.x + layout.label_width + t.px(16),
      std::max(right - layout.value_width - t.px(16), origin.x + layout.label_width + t.px(60))};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (!ticks.empty())
    draw_x_axis(list, x, origin.y, origin.y + height, format, x.to - x.from > t.px(330) ? 5 : 3);
  for (std::size_t i = 0; i < rows.size(); ++i)
    draw_bar_row(list, rows[i], x,
                 point(origin.x, origin.y + layout.row_height * static_cast<float>(i)), layout,
                 right);
  hover_samples(rows, x, origin, layout.row_height, format);
}

void plot_histograms(const char* id, std::span<const HistogramSeries> series, float row_height,
                     const Format& format) {
  const Theme& t = theme();
  double low = INFINITY, high = -INFINITY;
  float label_width = 0;
  for (const HistogramSeries& one : series) {
    for (const double value : one.values) low = std::min(low, value), high = std::max(high, value);
    label_width = std::max(label_width, text_width(t.font.small, one.label));
  }
  if (!(high > low)) return;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = row_height * static_cast<float>(series.size());
  area(id, ImVec2(width, height + t.px(22)));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Scale x{low, high, origin.x + label_width + t.px(16), origin.x + width};
  draw_x_axis(list, x, origin.y, origin.y + height, format, 5);
  float bottom = origin.y;
  for (const HistogramSeries& one : series) {
    bottom += row_height;
    draw_text(list, t.font.small,
              point(origin.x, bottom - (row_height + t.font.small->FontSize) / 2), t.color.soft,
              one.label);
    draw_histogram(list, one, x, bottom, row_height - t.px(5));
  }
}

void plot_steps(const char* id, const StepCurve& curve, float height, const Format& format_x,
                const Format& format_y) {
  const Theme& t = theme();
  if (curve.x.size() < 2 || curve.x.size() != curve.y.size()) return;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, margin = t.px(46);
  const bool told = curve.why.size() == curve.x.size();
  area(id, ImVec2(width, height + t.px(told ? 48 : 24)));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Scale x{curve.x.front(), curve.x.back(), origin.x + margin, origin.x + width - t.px(8)};
  const Scale y{0, curve.high_y, origin.y + height, origin.y + t.px(6)};
  draw_x_axis(list, x, origin.y + t.px(6), origin.y + height, format_x, width > t.px(380) ? 6 : 4);
  for (const double tick : nice_ticks(0, curve.high_y, 4)) {
    if (tick > curve.high_y) continue;
    const float at = std::round(y(tick)) + 0.5f;
    list.AddLine(point(x.from, at), point(x.to, at), faded(t.color.line, 0.8f));
    const std::string label = format_y(tick);
    draw_text(
        list, t.font.label,
        point(x.from - t.px(8) - text_width(t.font.label, label), at - t.font.label->FontSize / 2),
        t.color.faint, label);
  }
  draw_steps(list, curve, x, y);
  if (told) draw_reasons(list, curve, x, origin.y + height + t.px(26));
  const float px = x(std::clamp(curve.current_x, curve.x.front(), curve.x.back()));
  const float py = y(curve.current_y);
  list.AddLine(point(px, y.from), point(px, py), faded(t.color.mine, 0.5f), t.px(1.5f));
  list.AddCircleFilled(point(px, py), t.px(6), t.color.surface, 20);
  list.AddCircleFilled(point(px, py), t.px(4.5f), t.color.mine, 20);
  if (!ImGui::IsItemHovered()) return;
  const std::size_t at = step_at(curve, x, ImGui::GetMousePos().x);
  tooltip(format_x(curve.x[at]) + ": " + format_y(curve.y[at]) +
          (told ? "\n" + curve.why[at] : std::string()));
}

}  // namespace klab::ui
