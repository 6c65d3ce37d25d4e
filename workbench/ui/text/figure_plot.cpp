// Figure plot: one row a kernel, named and numbered, so that colour is never the only sign.
#include "ui/text/figure_plot.hpp"

#include <algorithm>
#include <cmath>

#include "core/measure/catalogue/metric_catalogue.hpp"
#include "ui/look/widgets.hpp"
#include "ui/model/model.hpp"
#include "ui/words/typeset.hpp"

namespace klab::ui {
namespace {

/// Where things are, in pixels from the left edge of the figure.
struct FigureLayout {
  float left = 0, bars = 0, bars_end = 0, right = 0;
  float row = 0;  ///< height of one

  FigureLayout(const LessonFigure& figure, float width) {
    const Theme& t = theme();
    float name = 0, value = 0;
    for (const FigurePart& part : figure.parts)
      for (const FigureRow& one : part.rows) {
        name = std::max(name, text_width(t.font.label, variant_title(one.variant)));
        value = std::max(value, text_width(t.font.small, row_text(figure, part, one)));
      }
    left = t.px(18);
    right = width - t.px(18);
    bars = left + name + t.px(14);
    bars_end = std::max(bars + t.px(64), right - value - t.px(14));
    row = t.font.small->FontSize + t.px(10);
  }
};

ImVec2 moved(ImVec2 at, float x, float y) { return ImVec2(at.x + x, at.y + y); }

void draw_bar(ImDrawList& list, ImVec2 from, ImVec2 to, double share, ImU32 color) {
  const Theme& t = theme();
  list.AddRectFilled(from, to, t.color.line, t.px(3));
  // What is next to nothing is still to be seen, and told from nothing.
  const float width =
      share > 0 ? std::max((to.x - from.x) * static_cast<float>(share), t.px(2)) : 0;
  list.AddRectFilled(from, ImVec2(from.x + width, to.y), color, t.px(3));
}

/// `count` cells of `full`, each filled from the left by `fill` (0..1); the last one in part.
void draw_cells(ImDrawList& list, ImVec2 from, ImVec2 to, double count, double full,
                std::optional<double> fill, bool empty_ones, ImU32 color) {
  const Theme& t = theme();
  const float step = (to.x - from.x) / static_cast<float>(full);
  const float space = step > t.px(6) ? t.px(2) : t.px(1);
  const int cells = static_cast<int>(empty_ones ? full : std::min(std::ceil(count), full));
  for (int i = 0; i < cells; ++i) {
    const float share = static_cast<float>(std::clamp(count - i, 0.0, 1.0));
    const ImVec2 a(from.x + step * static_cast<float>(i), from.y);
    const ImVec2 b(a.x + (step - space) * (empty_ones ? 1 : share), to.y);
    list.AddRectFilled(a, b, faded(color, 0.22f));
    const float filled = static_cast<float>(fill.value_or(0)) * (empty_ones ? share : 1);
    if (filled > 0) list.AddRectFilled(a, ImVec2(a.x + (b.x - a.x) * filled, b.y), color);
  }
}

void draw_row(const LessonFigure& figure, const FigurePart& part, const FigureRow& row, ImVec2 at,
              const FigureLayout& layout) {
  const Theme& t = theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 color = t.of_variant(row.variant);
  draw_text(list, t.font.label, moved(at, layout.left, t.px(4)), color, variant_title(row.variant));
  const std::string value = row_text(figure, part, row);
  draw_text(list, t.font.small, moved(at, layout.right - text_width(t.font.small, value), t.px(4)),
            row.value ? t.color.text : t.color.faint, value);
  if (!row.value) return;
  const ImVec2 from = moved(at, layout.bars, t.px(4)),
               to = moved(at, layout.bars_end, layout.row - t.px(4));
  if (figure.kind == FigureKind::bars)
    draw_bar(list, from, to, std::clamp(*row.value / part.full, 0.0, 1.0), color);
  else if (figure.kind == FigureKind::lanes)
    draw_cells(list, from, to, *row.value, part.full, 1.0, true, color);
  else
    draw_cells(
        list, from, to, *row.value, part.full,
        row.used_pct ? std::optional(std::clamp(*row.used_pct / 100, 0.0, 1.0)) : std::nullopt,
        false, color);
}

/// The lab's bound as a line across all rows of a part.
void draw_target(const FigurePart& part, ImVec2 top, float height, const FigureLayout& layout) {
  if (!part.target_value || *part.target_value < 0 || *part.target_value > part.full) return;
  const float x = std::round(top.x + layout.bars +
                             (layout.bars_end - layout.bars) *
                                 static_cast<float>(*part.target_value / part.full));
  ImGui::GetWindowDrawList()->AddLine(ImVec2(x, top.y), ImVec2(x, top.y + height),
                                      theme().color.soft, theme().px(1));
}

/// Height taken by one metric.
float draw_part(const LessonFigure& figure, const FigurePart& part, ImVec2 at,
                const FigureLayout& layout) {
  const Theme& t = theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::string target = part.target.empty() ? std::string() : "target " + typeset(part.target);
  const float room = layout.right - layout.left - text_width(t.font.small, target) - t.px(12);
  draw_text(list, t.font.strong, moved(at, layout.left, 0), t.color.text,
            cut(t.font.strong, part.label, room));
  draw_text(list, t.font.small, moved(at, layout.right - text_width(t.font.small, target), t.px(1)),
            t.color.soft, target);
  const float head = t.font.strong->FontSize + t.px(4);
  for (std::size_t i = 0; i < part.rows.size(); ++i)
    draw_row(figure, part, part.rows[i], moved(at, 0, head + layout.row * static_cast<float>(i)),
             layout);
  const float rows = layout.row * static_cast<float>(part.rows.size());
  draw_target(part, moved(at, 0, head), rows, layout);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(ImVec2(layout.right, head + rows));
  if (const Metric* metric = find_metric(part.metric)) tooltip(metric->meaning);
  return head + rows + t.px(12);
}

/// How to read it, and where its numbers come from.
std::string caption_of(const LessonFigure& figure) {
  std::string words(legend_of(figure.kind));
  for (const std::string& more : {figure.recorded, figure.own})
    if (!more.empty()) words += (words.empty() ? "" : " ") + more;
  return words;
}

}  // namespace

void draw_figure(const LessonFigure& figure, float width) {
  const Theme& t = theme();
  const FigureLayout layout(figure, width);
  const std::string caption = caption_of(figure);
  const float title =
      figure.title.empty()
          ? 0
          : text_height(t.font.label, figure.title, layout.right - layout.left) + t.px(10);
  float height = t.px(14) + title + t.px(14);
  for (const FigurePart& part : figure.parts)
    height += t.font.strong->FontSize + t.px(4) +
              layout.row * static_cast<float>(part.rows.size()) + t.px(12);
  height += draw_wrapped(nullptr, t.font.small, {}, 0, caption, layout.right - layout.left);

  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(origin, moved(origin, width, height), t.color.off_soft, t.px(8));
  ImVec2 at = moved(origin, 0, t.px(14));
  if (!figure.title.empty()) {
    draw_wrapped(&list, t.font.label, moved(at, layout.left, 0), t.color.soft, figure.title,
                 layout.right - layout.left);
    at.y += title;
  }
  for (const FigurePart& part : figure.parts) at.y += draw_part(figure, part, at, layout);
  draw_wrapped(&list, t.font.small, moved(at, layout.left, 0), t.color.soft, caption,
               layout.right - layout.left);
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy(ImVec2(width, height));
}

}  // namespace klab::ui
