// TimelinePlot: drawing. What is too narrow to be told apart becomes a bar whose height says how
// much of the time is covered, so that no span is lost from the picture however many there are.
#include "ui/pages/investigations/timeline_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text/kernel_name.hpp"
#include "core/measure/format.hpp"
#include "ui/look/plot.hpp"
#include "ui/look/widgets.hpp"
#include "ui/model/model.hpp"
#include "ui/model/timeline_words.hpp"
#include "ui/words/typeset.hpp"

namespace klab::ui {
namespace {

constexpr float span_height = 19, row_gap = 2, track_gap = 7, axis_height = 24, head_height = 26;
constexpr std::size_t most_rows = 5;  ///< of a track; deeper ones are named, not drawn
constexpr float density_steps = 8;

/// Where everything of one frame lies.
struct Layout {
  ImVec2 origin;
  float width = 0, left = 0;  ///< `left`: where the plot begins
  Scale x;
  int pixels = 1;
  TimelineRange range;
  const TimelineView* view = nullptr;
  bool order_only = false;
  TimelineHover hover;
  ImVec2 mouse;
  bool hovered = false;

  /// How far beside a narrow span the pointer still means it.
  double reach_ns() const { return 3 * range.length_ns() / pixels; }
};

std::size_t rows_of(const TrackLanes& lanes) {
  return std::clamp<std::size_t>(lanes.lanes.size(), 1, most_rows);
}

float height_of(const TracedVariant& traced) {
  float height = head_height;
  for (const TrackLanes& lanes : traced.lanes)
    height += static_cast<float>(rows_of(lanes)) * (span_height + row_gap) + track_gap;
  if (traced.recorded.order_only) return height + track_gap;
  return height + span_height + 2 * track_gap;  // the row of gaps
}

ImU32 color_of(TrackKind kind, const VariantName& variant) {
  const Palette& c = theme().color;
  switch (kind) {
    case TrackKind::kernel:
      return theme().of_variant(variant);
    case TrackKind::copy:
      return c.data_purple;
    case TrackKind::call:
      return c.data_blue;
    case TrackKind::wait:
      return c.data_gold;
    case TrackKind::memory:
      return c.data_ink;
    case TrackKind::range:
    case TrackKind::overhead:
      break;
  }
  return c.off;
}

void draw_span_text(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 ink, std::string_view name) {
  const Theme& t = theme();
  const float room = to.x - from.x - t.px(8);
  if (room < t.px(22)) return;
  draw_text(list, t.font.label,
            ImVec2(from.x + t.px(4), from.y + (to.y - from.y - t.font.label->FontSize) / 2), ink,
            cut(t.font.label, name, room));
}

/// Neighbouring narrow marks of about the same density become one rectangle.
class DensityBar {
 public:
  DensityBar(ImDrawList& list, float left, float top, float bottom, ImU32 color)
      : list_(list), left_(left), top_(top), bottom_(bottom), color_(color) {}
  ~DensityBar() { flush(); }

  void add(const LaneMark& mark) {
    const float level = std::max(1.0f, std::ceil(mark.covered * density_steps)) / density_steps;
    if (mark.from != to_ || level != level_) {
      flush();
      from_ = mark.from;
      level_ = level;
    }
    to_ = mark.to;
  }

 private:
  void flush() {
    if (to_ > from_)
      list_.AddRectFilled(ImVec2(left_ + from_, bottom_ - (bottom_ - top_) * level_),
                          ImVec2(left_ + to_, bottom_), color_);
    from_ = to_ = -1;
  }

  ImDrawList& list_;
  float left_, top_, bottom_, from_ = -1, to_ = -1, level_ = 0;
  ImU32 color_;
};

void draw_lane(ImDrawList& list, const Layout& at, const TimelineLane& lane,
               const TracedVariant& traced, const TimelineTrack& track, float top, ImU32 color,
               bool with_text) {
  const Theme& t = theme();
  const float bottom = top + t.px(span_height);
  std::vector<LaneMark> marks;
  marks_of(lane, at.range.from_ns, at.range.to_ns, at.pixels, marks);
  DensityBar density(list, at.left, top, bottom, color);
  for (const LaneMark& mark : marks) {
    const TimelineSpan& span = track.spans[lane.span[mark.first]];
    if (mark.count == 1 && span.duration_ns() == 0) {  // an instant
      const ImVec2 c(at.left + mark.from, (top + bottom) / 2);
      const float r = t.px(5);
      list.AddQuadFilled(ImVec2(c.x, c.y - r), ImVec2(c.x + r, c.y), ImVec2(c.x, c.y + r),
                         ImVec2(c.x - r, c.y), color);
      continue;
    }
    if (mark.count > 1 || mark.to - mark.from < least_mark_pixels) {
      density.add(mark);
      continue;
    }
    const ImVec2 from(at.left + mark.from, top), to(at.left + mark.to, bottom);
    const bool roomy = to.x - from.x > t.px(6);
    list.AddRectFilled(from, ImVec2(roomy ? to.x - 1 : to.x, to.y), color, roomy ? t.px(2) : 0);
    if (with_text)
      draw_span_text(list, from, to, ink_on(over(color, t.color.surface)),
                     short_name(traced.recorded.names[span.name]));
  }
}

void draw_gaps(ImDrawList& list, Layout& at, const TracedVariant& traced, float top) {
  const Theme& t = theme();
  const float bottom = top + t.px(span_height);
  DensityBar density(list, at.left, top, bottom, faded(t.color.bad, 0.55f));
  std::vector<LaneMark> marks;
  marks_of(traced.gaps, at.range.from_ns, at.range.to_ns, at.pixels, marks);
  for (const LaneMark& mark : marks) {
    if (mark.count > 1 || mark.to - mark.from < least_mark_pixels) {
      density.add(mark);
      continue;
    }
    const float from = mark.from, to = mark.to;
    const TimelineGap& gap = traced.analysis.gaps[traced.gaps.span[mark.first]];
    const bool between = gap.reason == GapReason::between_runs;
    const ImVec2 a(at.left + from, top), b(at.left + to, bottom);
    const ImU32 color = between ? t.color.faint : t.color.bad;
    list.AddRectFilled(a, b, between ? t.color.off_soft : t.color.bad_soft);
    hatch(list, a, b, faded(color, 0.4f), 7);
    const std::string words(to_string(gap.reason));
    if (text_width(t.font.label, words) + t.px(10) > to - from) continue;
    const float width = text_width(t.font.label, words) + t.px(6);
    list.AddRectFilled(ImVec2(a.x + t.px(2), a.y), ImVec2(a.x + t.px(2) + width, b.y),
                       between ? t.color.off_soft : t.color.bad_soft);
    draw_span_text(list, a, b, between ? t.color.soft : t.color.bad, words);
  }
  if (!at.hovered || !at.hover.in_plot || at.mouse.y < top || at.mouse.y >= bottom) return;
  if (const auto index = span_at(traced.gaps, at.hover.at_ns, at.reach_ns()))
    at.hover.gap = &traced.analysis.gaps[traced.gaps.span[*index]];
}

/// The picked span is framed, so that it is found without colour.
void draw_pick(ImDrawList& list, const Layout& at, const TimelineLane& lane, std::size_t index,
               float top) {
  const Theme& t = theme();
  const float from = std::max(at.x(static_cast<double>(lane.start_ns[index])), at.left - t.px(3));
  const float to = std::min(at.x(static_cast<double>(lane.end_ns[index])), at.x.to + t.px(3));
  if (to < at.left || from > at.x.to) return;
  list.AddRect(ImVec2(from - t.px(2), top - t.px(1)),
               ImVec2(std::max(to, from + t.px(2)) + t.px(1), top + t.px(span_height + 1)),
               t.color.text, t.px(3), 0, t.px(2));
}

void draw_track(ImDrawList& list, Layout& at, const TracedVariant& traced, std::size_t v,
                std::size_t track_index, float& y) {
  const Theme& t = theme();
  const TimelineTrack& track = traced.recorded.tracks[track_index];
  const TrackLanes& lanes = traced.lanes[track_index];
  draw_text(list, t.font.label,
            ImVec2(at.origin.x, y + (t.px(span_height) - t.font.label->FontSize) / 2), t.color.soft,
            cut(t.font.label, track.label, at.left - at.origin.x - t.px(8)));
  const TimelineHighlight* highlight = at.view->highlight.get();
  const bool lit =
      highlight && v < highlight->lanes.size() && track_index < highlight->lanes[v].size();
  const ImU32 color = color_of(track.kind, traced.recorded.variant);
  const std::size_t rows = rows_of(lanes);
  if (lanes.lanes.size() > rows && rows > 1)
    draw_text(list, t.font.label, ImVec2(at.origin.x, y + t.px(span_height + row_gap)),
              t.color.faint, fmt::format("+{} rows", lanes.lanes.size() - rows));
  for (std::size_t row = 0; row < rows && row < lanes.lanes.size(); ++row) {
    const TimelineLane& lane = lanes.lanes[row];
    const ImU32 shade = row == 0 ? color : faded(color, row % 2 ? 0.7f : 0.85f);
    list.PushClipRect(ImVec2(at.left, y - t.px(2)), ImVec2(at.x.to, y + t.px(span_height + 2)),
                      true);
    draw_lane(list, at, lane, traced, track, y, highlight ? faded(shade, 0.3f) : shade, !highlight);
    if (lit)
      draw_lane(list, at, highlight->lanes[v][track_index].lanes[row], traced, track, y, color,
                true);
    const auto& picked = at.view->picked;
    if (picked && picked->variant == v && picked->track == track_index && picked->lane == row &&
        picked->index < lane.size())
      draw_pick(list, at, lane, picked->index, y);
    list.PopClipRect();
    if (at.hovered && at.hover.in_plot && at.mouse.y >= y && at.mouse.y < y + t.px(span_height)) {
      if (const auto index = span_at(lane, at.hover.at_ns, at.reach_ns()))
        at.hover.span = TimelinePick{v, track_index, row, *index};
    }
    y += t.px(span_height + row_gap);
  }
  if (lanes.lanes.empty()) y += t.px(span_height + row_gap);
  y += t.px(track_gap);
}

void draw_head(ImDrawList& list, const Layout& at, const TracedVariant& traced, float y) {
  const Theme& t = theme();
  const std::string title = variant_title(traced.recorded.variant);
  // Over the lines of the axis, which would cross the words.
  list.AddRectFilled(ImVec2(at.origin.x, y), ImVec2(at.origin.x + at.width, y + t.px(head_height)),
                     t.color.surface);
  list.AddLine(ImVec2(at.origin.x, y), ImVec2(at.origin.x + at.width, y), t.color.line);
  const float middle = y + t.px(head_height) / 2 + t.px(2);
  list.AddRectFilled(ImVec2(at.origin.x, middle - t.px(5)),
                     ImVec2(at.origin.x + t.px(10), middle + t.px(5)),
                     t.of_variant(traced.recorded.variant), t.px(2));
  draw_text(list, t.font.strong,
            ImVec2(at.origin.x + t.px(16), middle - t.font.strong->FontSize / 2), t.color.text,
            title);
  if (traced.recorded.order_only)
    return draw_text(list, t.font.small, ImVec2(at.left, middle - t.font.small->FontSize / 2),
                     t.color.soft,
                     cut(t.font.small, "order only, in steps: the simulator has no clock",
                         std::max(at.x.to - at.left, t.px(20))));
  const std::string idle = "GPU idle " + format_percent(traced.analysis.idle_pct);
  const float begin = at.left + text_width(t.font.strong, idle) + t.px(8);
  draw_text(list, t.font.strong, ImVec2(at.left, middle - t.font.strong->FontSize / 2),
            t.color.text, idle);
  const auto work_ns = traced.analysis.median_work_ns();
  const std::string words =
      "of " + typeset(format_seconds(work_ns ? std::optional(*work_ns * 1e-9) : std::nullopt)) +
      " from first to last work";
  draw_text(list, t.font.small, ImVec2(begin, middle - t.font.small->FontSize / 2), t.color.soft,
            cut(t.font.small, words, std::max(at.x.to - begin, t.px(20))));
}

void draw_axis(ImDrawList& list, const Layout& at, float bottom) {
  const Theme& t = theme();
  const auto ticks = nice_ticks(at.range.from_ns, at.range.to_ns,
                                std::max(2, at.pixels / static_cast<int>(t.px(110))));
  const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
  for (const double tick : ticks) {
    if (tick < at.range.from_ns || tick > at.range.to_ns || tick < 0) continue;
    if (at.order_only && tick != std::round(tick)) continue;
    const float x = std::round(at.x(tick)) + 0.5f;
    list.AddLine(ImVec2(x, at.origin.y + t.px(axis_height - 4)), ImVec2(x, bottom),
                 faded(t.color.line, 0.8f));
    const std::string label =
        at.order_only ? step_label(tick) : axis_label(tick, at.range.to_ns, step);
    const float width = text_width(t.font.label, label);
    if (x + width / 2 > at.x.to) continue;
    draw_text(list, t.font.label, ImVec2(std::max(x - width / 2, at.left), at.origin.y),
              t.color.faint, label);
  }
}

void draw_measure(ImDrawList& list, const Layout& at, float bottom) {
  const auto& view = *at.view;
  if (!view.measure_from_ns) return;
  const Theme& t = theme();
  const double to_ns = view.measure_to_ns.value_or(*view.measure_from_ns);
  const float a = std::clamp(at.x(std::min(*view.measure_from_ns, to_ns)), at.left, at.x.to);
  const float b = std::clamp(at.x(std::max(*view.measure_from_ns, to_ns)), at.left, at.x.to);
  const float top = at.origin.y + t.px(axis_height - 4);
  list.AddRectFilled(ImVec2(a, top), ImVec2(b, bottom), faded(t.color.accent, 0.12f));
  for (const float x : {a, b})
    list.AddLine(ImVec2(x, top), ImVec2(x, bottom), t.color.accent, t.px(1.5f));
  if (!view.measure_to_ns) return;
  const double length = std::abs(to_ns - *view.measure_from_ns);
  const std::string words =
      at.order_only ? steps_text(length) : typeset(format_seconds(length * 1e-9));
  const float width = text_width(t.font.strong, words) + t.px(12);
  const float x = std::clamp((a + b - width) / 2, at.left, std::max(at.left, at.x.to - width));
  list.AddRectFilled(ImVec2(x, at.origin.y - t.px(2)), ImVec2(x + width, at.origin.y + t.px(20)),
                     t.color.accent_fill, t.px(4));
  draw_text(list, t.font.strong, ImVec2(x + t.px(6), at.origin.y), t.color.on_accent, words);
}

}  // namespace

float timeline_label_width() {
  return theme().px(ImGui::GetContentRegionAvail().x > theme().px(560) ? 148 : 84);
}

TimelineHover plot_timeline(const char* id, const Timeline& timeline, const TimelineView& view) {
  const Theme& t = theme();
  const auto shown = shown_variants(timeline, view);
  Layout at;
  at.origin = ImGui::GetCursorScreenPos();
  at.width = std::max(ImGui::GetContentRegionAvail().x, t.px(200));
  at.left = at.origin.x + timeline_label_width();
  at.range = shown_range(timeline, view);
  at.pixels = std::max(1, static_cast<int>(at.origin.x + at.width - at.left));
  at.x = {at.range.from_ns, at.range.to_ns, at.left, at.left + static_cast<float>(at.pixels)};
  at.view = &view;
  at.order_only = timeline.order_only();
  float height = t.px(axis_height);
  for (const std::size_t v : shown) height += t.px(height_of(*timeline.variants[v]));
  area(id, ImVec2(at.width, height));
  at.hovered = ImGui::IsItemHovered();
  at.mouse = ImGui::GetMousePos();
  at.hover.in_plot = at.mouse.x >= at.left;
  at.hover.at_ns = at.range.from_ns +
                   (at.mouse.x - at.left) / static_cast<double>(at.pixels) * at.range.length_ns();

  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_axis(list, at, at.origin.y + height);
  float y = at.origin.y + t.px(axis_height);
  for (const std::size_t v : shown) {
    const TracedVariant& traced = *timeline.variants[v];
    if (at.hovered && at.mouse.y >= y) at.hover.variant = v;
    draw_head(list, at, traced, y);
    y += t.px(head_height);
    for (std::size_t track = 0; track < traced.recorded.tracks.size(); ++track)
      draw_track(list, at, traced, v, track, y);
    if (traced.recorded.order_only) {
      y += t.px(track_gap);
      continue;
    }
    draw_text(list, t.font.label,
              ImVec2(at.origin.x, y + (t.px(span_height) - t.font.label->FontSize) / 2),
              t.color.soft, cut(t.font.label, "GPU idle", at.left - at.origin.x - t.px(8)));
    draw_gaps(list, at, traced, y);
    y += t.px(span_height + 2 * track_gap);
  }
  draw_measure(list, at, at.origin.y + height);
  return at.hover;
}

}  // namespace klab::ui
