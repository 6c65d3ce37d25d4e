// PlotFrame: mapping, grid and the signs of the variants.
#include "ui/look/plot_frame.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/ticks.hpp"
#include "ui/look/theme.hpp"
#include "ui/look/widgets.hpp"

namespace klab::ui {
namespace {

/// Room beside the outermost values, in powers of ten.
constexpr double log_margin = 0.12;
/// The same as a share of the most on a straight axis.
constexpr double straight_margin = 0.08;

double part_of(const Axis& axis, double value) {
  if (!axis.logarithmic) return (value - axis.low) / (axis.high - axis.low);
  if (!(value > 0)) return -1e3;
  return std::log(value / axis.low) / std::log(axis.high / axis.low);
}

}  // namespace

std::vector<double> power_ticks(double low, double high, double base, std::size_t most) {
  std::vector<double> ticks;
  if (!(low > 0) || !(high > low) || !(base > 1) || most == 0) return ticks;
  const double first = std::ceil(std::log(low) / std::log(base) - 1e-9);
  const double last = std::floor(std::log(high) / std::log(base) + 1e-9);
  const double step = std::max(1.0, std::ceil((last - first + 1) / static_cast<double>(most)));
  for (double power = first; power <= last; power += step) ticks.push_back(std::pow(base, power));
  return ticks;
}

Axis log_axis(const std::vector<double>& values, double base, std::size_t most_ticks) {
  Axis axis{.low = 0, .high = 0, .logarithmic = true};
  for (const double value : values) {
    if (!(value > 0) || !std::isfinite(value)) continue;
    axis.low = axis.low == 0 ? value : std::min(axis.low, value);
    axis.high = std::max(axis.high, value);
  }
  if (axis.low == 0) axis.low = axis.high = 1;
  axis.low *= std::pow(10, -log_margin);
  axis.high *= std::pow(10, log_margin);
  axis.ticks = power_ticks(axis.low, axis.high, base, most_ticks);
  return axis;
}

Axis straight_axis(const std::vector<double>& values, int most_ticks) {
  Axis axis;
  const double most = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  axis.ticks = nice_ticks(0, most > 0 ? most : 1, most_ticks);
  axis.high = std::max(axis.ticks.empty() ? 1 : axis.ticks.back(), most * (1 + straight_margin));
  return axis;
}

PlotFrame::PlotFrame(const char* id, const Axis& x, const Axis& y, float height) : x_(x), y_(y) {
  const Theme& t = theme();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  float room = t.px(52);  // so that plots below each other mostly share their left edge
  for (const double tick : y_.ticks)
    if (y_.format) room = std::max(room, text_width(t.font.label, y_.format(tick)));
  area(id, ImVec2(width, height));
  hovered_ = ImGui::IsItemHovered();
  const float line = t.font.label->FontSize;
  left = origin.x + room + t.px(10);
  right = std::max(left + t.px(40), origin.x + width - t.px(6));
  top = origin.y + (y_.label.empty() ? t.px(6) : line + t.px(10));
  bottom = origin.y + height - line - t.px(8) - (x_.label.empty() ? 0 : line + t.px(6));
  draw_grid();
}

float PlotFrame::place(const Axis& axis, double value, float from, float to) {
  const double part = std::clamp(part_of(axis, value), -4.0, 5.0);
  return from + static_cast<float>(part) * (to - from);
}

double PlotFrame::value_at(float height) const {
  const double part = static_cast<double>((bottom - height) / (bottom - top));
  if (!y_.logarithmic) return y_.low + part * (y_.high - y_.low);
  return y_.low * std::pow(y_.high / y_.low, part);
}

void PlotFrame::draw_grid() const {
  const Theme& t = theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 faint = faded(t.color.line, 0.8f);
  const float line = t.font.label->FontSize;
  float free_from = left - t.px(20);
  for (const double tick : x_.ticks) {
    const float at = std::round(x(tick)) + 0.5f;
    if (at < left - 1 || at > right + 1) continue;
    list.AddLine(ImVec2(at, top), ImVec2(at, bottom), faint);
    const std::string label = x_.format ? x_.format(tick) : std::string();
    const float width = text_width(t.font.label, label);
    const float begin = std::min(at - width / 2, right - width + t.px(4));
    if (begin < free_from) continue;  // would run into its neighbour
    draw_text(list, t.font.label, ImVec2(begin, bottom + t.px(5)), t.color.faint, label);
    free_from = begin + width + t.px(8);
  }
  for (const double tick : y_.ticks) {
    const float at = std::round(y(tick)) + 0.5f;
    if (at < top - 1 || at > bottom + 1) continue;
    list.AddLine(ImVec2(left, at), ImVec2(right, at), faint);
    const std::string label = y_.format ? y_.format(tick) : std::string();
    draw_text(list, t.font.label,
              ImVec2(left - t.px(8) - text_width(t.font.label, label), at - line / 2),
              t.color.faint, label);
  }
  if (!y_.label.empty())
    draw_text(list, t.font.label, ImVec2(left, top - line - t.px(6)), t.color.soft, y_.label);
  if (!x_.label.empty())
    draw_text(list, t.font.label,
              ImVec2(right - text_width(t.font.label, x_.label), bottom + line + t.px(10)),
              t.color.soft, x_.label);
}

PlotClip::PlotClip(const PlotFrame& frame) {
  const float margin = theme().px(8);
  ImGui::GetWindowDrawList()->PushClipRect(ImVec2(frame.left - margin, frame.top - margin),
                                           ImVec2(frame.right + margin, frame.bottom + margin),
                                           true);
}

PlotClip::~PlotClip() { ImGui::GetWindowDrawList()->PopClipRect(); }

void draw_marker(ImDrawList& list, const VariantName& variant, ImVec2 at, float radius,
                 bool with_edge) {
  const Theme& t = theme();
  const ImU32 color = t.of_variant(variant);
  const auto shape = [&](float r, ImU32 ink) {
    if (variant == VariantName::flawed)
      list.AddRectFilled(ImVec2(at.x - r * 0.9f, at.y - r * 0.9f),
                         ImVec2(at.x + r * 0.9f, at.y + r * 0.9f), ink, t.px(1));
    else if (variant == VariantName::mine)
      list.AddCircleFilled(at, r, ink, 24);
    else if (variant == VariantName::optimized)
      list.AddNgonFilled(at, r * 1.25f, ink, 4);
    else
      list.AddNgonFilled(at, r * 1.2f, ink, 3);
  };
  if (with_edge) shape(radius + t.px(1.8f), t.color.surface);
  shape(radius, color);
}

void plot_recent(const char* id, const std::vector<double>& values, double low, double high,
                 float height, ImU32 color) {
  const Theme& t = theme();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  area(id, ImVec2(width, height));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float bottom = origin.y + height - t.px(2), top = origin.y + t.px(3);
  list.AddLine(ImVec2(origin.x, bottom + t.px(1)), ImVec2(origin.x + width, bottom + t.px(1)),
               t.color.line);
  if (values.empty() || !(high > low)) return;
  // The newest value stands at the right edge; a minute at five a second fills the width.
  constexpr float most = 300;
  std::vector<ImVec2> points;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float age = static_cast<float>(values.size() - 1 - i);
    const double part = std::clamp((values[i] - low) / (high - low), 0.0, 1.0);
    points.emplace_back(origin.x + width * std::max(0.0f, 1 - age / most),
                        bottom - static_cast<float>(part) * (bottom - top));
  }
  list.AddPolyline(points.data(), static_cast<int>(points.size()), color, 0, t.px(1.6f));
  list.AddCircleFilled(points.back(), t.px(2.6f), color, 12);
}

}  // namespace klab::ui
