// CodeComparison: flawed, mine and optimized side by side, differences tinted.
#include <algorithm>

#include "core/base/diff/line_diff.hpp"
#include "ui/look/code_lines.hpp"
#include "ui/look/widgets.hpp"
#include "ui/text/code_view.hpp"

namespace klab::ui {
namespace {

/// One of the texts, drawn from top to bottom.
struct Side {
  const ComparedCode& code;
  std::vector<std::string> lines;
  float left = 0, width = 0, gutter = 0;
  bool in_comment = false;
};

/// One row: the line of each side, -1 where it has none, and whether it differs from its neighbour.
struct Row {
  std::vector<int> lines;
  std::vector<bool> differs;
};

Side side_of(const ComparedCode& code) {
  Side side{.code = code, .lines = lines_of(code.text)};
  side.gutter = text_width(theme().font.mono, "000") + theme().px(22) +
                (code.heat ? heat_width(*code.heat) : 0);
  return side;
}

float widest(const Side& side) {
  float most = 0;
  for (const std::string& line : side.lines)
    most = std::max(most, text_width(theme().font.mono, line));
  return most + side.gutter + theme().px(16);
}

std::vector<Row> two_rows(const Side& left, const Side& right) {
  std::vector<Row> rows;
  for (const DiffRow& row : line_diff(left.lines, right.lines))
    rows.push_back({{row.left, row.right}, {!row.same, !row.same}});
  return rows;
}

/// Puts a third text beside rows of two, aligned by its own difference to the second.
std::vector<Row> with_third(const std::vector<Row>& two, const Side& second, const Side& third) {
  std::vector<Row> rows;
  std::size_t next = 0;
  for (const DiffRow& pair : line_diff(second.lines, third.lines)) {
    // Rows of the first two up to the line that this pair belongs to.
    while (next < two.size() && pair.left >= 0 && two[next].lines[1] != pair.left) {
      rows.push_back({{two[next].lines[0], two[next].lines[1], -1}, two[next].differs});
      rows.back().differs.push_back(false);
      ++next;
    }
    if (pair.left >= 0 && next < two.size()) {
      rows.push_back({{two[next].lines[0], two[next].lines[1], pair.right}, two[next].differs});
      ++next;
    } else {
      rows.push_back({{-1, -1, pair.right}, {false, false}});
    }
    rows.back().differs.push_back(!pair.same);
  }
  for (; next < two.size(); ++next)
    rows.push_back({{two[next].lines[0], two[next].lines[1], -1},
                    {two[next].differs[0], two[next].differs[1], false}});
  return rows;
}

/// The rows of these texts. Comparing takes the product of their lengths, so the rows of the texts
/// last shown are kept from frame to frame.
const std::vector<Row>& rows_of(const std::vector<Side>& sides) {
  static std::vector<std::vector<std::string>> known;
  static std::vector<Row> rows;
  std::vector<std::vector<std::string>> texts;
  for (const Side& side : sides) texts.push_back(side.lines);
  if (texts == known) return rows;
  rows = two_rows(sides[0], sides[1]);
  if (sides.size() > 2) rows = with_third(rows, sides[1], sides[2]);
  known = std::move(texts);
  return rows;
}

/// A line of one side, shifted left by `scrolled` within the side's own column.
void draw_side(ImDrawList& list, Side& side, int index, bool differs, float y, float scrolled) {
  const Theme& t = theme();
  if (index < 0) return;
  const float height = code_line_height();
  const std::string& line = side.lines[static_cast<std::size_t>(index)];
  const float top = ImGui::GetWindowPos().y;
  if (y + height < top || y > top + ImGui::GetWindowHeight())
    return skip_code_line(line, side.in_comment);
  if (differs)
    list.AddRectFilled(ImVec2(side.left, y), ImVec2(side.left + side.width, y + height),
                       side.code.tint);
  const std::string number = std::to_string(index + 1);
  draw_text(list, t.font.mono,
            ImVec2(side.left + side.gutter - t.px(12) - text_width(t.font.mono, number), y),
            faded(t.color.faint, 0.8f), number);
  if (side.code.heat)
    draw_heat(list, *side.code.heat, index + 1, ImVec2(side.left + t.px(4), y), height);
  list.PushClipRect(ImVec2(side.left + side.gutter, y),
                    ImVec2(side.left + side.width - t.px(6), y + height), true);
  draw_code_line(list, line, ImVec2(side.left + side.gutter - scrolled, y), side.in_comment);
  list.PopClipRect();
}

}  // namespace

void code_comparison(const char* id, std::span<const ComparedCode> texts) {
  const Theme& t = theme();
  std::vector<Side> sides;
  for (const ComparedCode& text : texts) sides.push_back(side_of(text));
  const std::vector<Row>& rows = rows_of(sides);

  // The titles stay while the texts scroll.
  ImDrawList& outer = *ImGui::GetWindowDrawList();
  const ImVec2 head = ImGui::GetCursorScreenPos();
  const float column = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize) /
                       static_cast<float>(sides.size());
  for (std::size_t i = 0; i < sides.size(); ++i)
    draw_text(outer, t.font.label,
              ImVec2(head.x + column * static_cast<float>(i) + t.px(14), head.y + t.px(8)),
              t.color.soft, sides[i].code.title);
  ImGui::Dummy(ImVec2(0, t.px(24)));

  ImGui::BeginChild(id, ImVec2(0, 0), 0,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NavFlattened |
                        ImGuiWindowFlags_AlwaysVerticalScrollbar);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float scrolled = ImGui::GetScrollX();
  float beyond = 0;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    sides[i].left = origin.x + scrolled + column * static_cast<float>(i);  // columns stay in place
    sides[i].width = column;
    beyond = std::max(beyond, widest(sides[i]) - column);
  }
  float y = origin.y + t.px(4);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < sides.size(); ++i)
      draw_side(list, sides[i], row.lines[i], row.differs[i], y, scrolled);
    y += code_line_height();
  }
  for (std::size_t i = 1; i < sides.size(); ++i)
    list.AddLine(ImVec2(sides[i].left, origin.y), ImVec2(sides[i].left, y + t.px(8)), t.color.line);
  ImGui::Dummy(ImVec2(column * static_cast<float>(sides.size()) + beyond, y - origin.y + t.px(8)));
  ImGui::EndChild();
}

}  // namespace klab::ui
