// CodeComparison: mine beside the optimized kernel, differences tinted.
#include <algorithm>

#include "ui/code_view.hpp"
#include "ui/line_diff.hpp"
#include "ui/widgets.hpp"

namespace klab::ui {
namespace {

/// One of the two texts, drawn from top to bottom.
struct Side {
  std::vector<std::string> lines;
  ImU32 tint;  ///< of lines that only this side has
  float left = 0, width = 0;
  bool in_comment = false;
};

float gutter() { return text_width(theme().font.mono, "000") + theme().px(22); }

float widest(const std::vector<std::string>& lines) {
  float most = 0;
  for (const std::string& line : lines) most = std::max(most, text_width(theme().font.mono, line));
  return most + gutter() + theme().px(16);
}

void draw_side(ImDrawList& list, Side& side, int index, bool alone, float y, float height) {
  const Theme& t = theme();
  if (index < 0) return;
  if (alone)
    list.AddRectFilled(ImVec2(side.left, y), ImVec2(side.left + side.width, y + height), side.tint);
  const std::string number = std::to_string(index + 1);
  draw_text(list, t.font.mono,
            ImVec2(side.left + gutter() - t.px(12) - text_width(t.font.mono, number), y),
            faded(t.color.faint, 0.8f), number);
  draw_code_line(list, side.lines[static_cast<std::size_t>(index)], ImVec2(side.left + gutter(), y),
                 side.in_comment);
}

}  // namespace

void code_comparison(const char* id, std::string_view left, std::string_view right) {
  const Theme& t = theme();
  Side mine{lines_of(left), t.color.accent_soft}, other{lines_of(right), t.color.good_soft};
  const std::vector<DiffRow> rows = line_diff(mine.lines, other.lines);
  ImGui::BeginChild(id, ImVec2(0, 0), 0,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NavFlattened);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float half = ImGui::GetContentRegionAvail().x / 2, height = code_line_height();
  mine.left = origin.x;
  mine.width = std::max(half, widest(mine.lines));
  other.left = mine.left + mine.width;
  other.width = std::max(half, widest(other.lines));
  float y = origin.y + t.px(8);
  for (const DiffRow& row : rows) {
    const bool alone = row.left < 0 || row.right < 0;
    draw_side(list, mine, row.left, alone, y, height);
    draw_side(list, other, row.right, alone, y, height);
    y += height;
  }
  list.AddLine(ImVec2(other.left, origin.y), ImVec2(other.left, y + t.px(8)), t.color.line);
  ImGui::Dummy(ImVec2(mine.width + other.width, y - origin.y + t.px(8)));
  ImGui::EndChild();
}

}  // namespace klab::ui
