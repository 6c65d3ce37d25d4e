// How well predictions held: the share right after each one, against blind guesses.
#include <algorithm>
#include <cmath>

#include "core/measure/format.hpp"
#include "ui/look/plot.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/journal_parts.hpp"

namespace klab::ui {
namespace {

void draw_guesses(ImDrawList& list, const Scale& x, float at) {
  const Theme& t = theme();
  for (float left = x.from; left < x.to; left += t.px(9))
    list.AddLine(ImVec2(left, at), ImVec2(std::min(left + t.px(5), x.to), at), t.color.faint,
                 t.px(1.2f));
  const std::string words = "blind guesses";
  draw_text(list, t.font.label, ImVec2(x.to - text_width(t.font.label, words), at + t.px(3)),
            t.color.faint, words);
}

void draw_plot(const Calibration& calibration) {
  const Theme& t = theme();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = t.px(110), margin = t.px(46);
  ImGui::Dummy(ImVec2(width, height + t.px(24)));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Scale x{1, static_cast<double>(std::max(calibration.known, 2)), origin.x + margin,
                origin.x + width - t.px(10)};
  const Scale y{0, 100, origin.y + height, origin.y + t.px(8)};
  for (const double tick : {0.0, 50.0, 100.0}) {
    const float at = std::round(y(tick)) + 0.5f;
    list.AddLine(ImVec2(x.from, at), ImVec2(x.to, at), faded(t.color.line, 0.8f));
    const std::string label = format_percent(tick);
    draw_text(
        list, t.font.label,
        ImVec2(x.from - t.px(8) - text_width(t.font.label, label), at - t.font.label->FontSize / 2),
        t.color.faint, label);
  }
  draw_guesses(list, x, y(100 * calibration.by_guess / calibration.known));
  ImVec2 last{};
  for (const CalibrationPoint& point : calibration.points) {
    const ImVec2 at(x(point.known), y(100.0 * point.right / point.known));
    if (point.known > 1) list.AddLine(last, at, t.color.mine, t.px(2));
    last = at;
  }
  for (const CalibrationPoint& point : calibration.points)
    list.AddCircleFilled(ImVec2(x(point.known), y(100.0 * point.right / point.known)), t.px(3.5f),
                         t.color.mine, 16);
  const std::string words = "share right, after each prediction";
  draw_text(list, t.font.label, ImVec2(x.from, origin.y + height + t.px(8)), t.color.faint, words);
}

}  // namespace

void draw_calibration(const Model& model) {
  const Theme& t = theme();
  const Calibration& calibration = model.journal.calibration;
  if (calibration.predictions.empty()) return;
  gap(10);
  const Card card("calibration");
  text(t.font.strong, t.color.text, "How well you predict, over all labs");
  text(t.font.small, t.color.soft, summary(calibration), true);
  if (calibration.known > 0) draw_plot(calibration);
}

}  // namespace klab::ui
