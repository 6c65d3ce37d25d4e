// CodeComparison: mine beside the optimized kernel, differences tinted.
#include <algorithm>

#include "ui/code_view.hpp"
#include "core/line_diff.hpp"
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

/// A line of one side, shifted left by `scrolled` within the side's own half.
void draw_side(ImDrawList& list, Side& side, int index, bool same, float y, float scrolled) {
  const Theme& t = theme();
  if (index < 0) return;
  const float height = code_line_height();
  if (!same)
    list.AddRectFilled(ImVec2(side.left, y), ImVec2(side.left + side.width, y + height), side.tint);
  const std::string number = std::to_string(index + 1);
  draw_text(list, t.font.mono,
            ImVec2(side.left + gutter() - t.px(12) - text_width(t.font.mono, number), y),
            faded(t.color.faint, 0.8f), number);
  list.PushClipRect(ImVec2(side.left + gutter(), y),
                    ImVec2(side.left + side.width - t.px(6), y + height), true);
  draw_code_line(list, side.lines[static_cast<std::size_t>(index)],
                 ImVec2(side.left + gutter() - scrolled, y), side.in_comment);
  list.PopClipRect();
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
  const float visible = ImGui::GetContentRegionAvail().x, scrolled = ImGui::GetScrollX();
  const float half = visible / 2;
  mine.left = origin.x + scrolled;  // the halves stay, the texts within them move
  other.left = mine.left + half;
  mine.width = other.width = half;
  float y = origin.y + t.px(8);
  for (const DiffRow& row : rows) {
    draw_side(list, mine, row.left, row.same, y, scrolled);
    draw_side(list, other, row.right, row.same, y, scrolled);
    y += code_line_height();
  }
  list.AddLine(ImVec2(other.left, origin.y), ImVec2(other.left, y + t.px(8)), t.color.line);
  const float beyond = std::max({0.0f, widest(mine.lines) - half, widest(other.lines) - half});
  ImGui::Dummy(ImVec2(visible + beyond, y - origin.y + t.px(8)));
  ImGui::EndChild();
}

}  // namespace klab::ui
