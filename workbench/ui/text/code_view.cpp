// CodeView: drawing of code, one line at a time, only the visible ones.
#include "ui/text/code_view.hpp"

#include <algorithm>
#include <string>

#include "ui/look/code_lines.hpp"
#include "ui/look/highlight.hpp"
#include "ui/look/widgets.hpp"

namespace klab::ui {
namespace {


ImU32 color_of(TokenKind kind) {
  const Palette& c = theme().color;
  switch (kind) {
    case TokenKind::keyword:
      return c.code_keyword;
    case TokenKind::type:
      return c.code_type;
    case TokenKind::builtin:
      return c.code_builtin;
    case TokenKind::number:
      return c.code_number;
    case TokenKind::string:
      return c.code_string;
    case TokenKind::comment:
      return c.code_comment;
    case TokenKind::plain:
      break;
  }
  return c.text;
}

/// What is looked for, marked in one line. Matches are in bytes of the text as it is read, where a
/// tab is one.
void draw_found(ImDrawList& list, const EditorMarks& marks, int number, const std::string& line,
                ImVec2 at, float height) {
  const Theme& t = theme();
  for (std::size_t i = 0; i < marks.matches.size(); ++i) {
    const TextMatch& match = marks.matches[i];
    if (match.line != number || match.end > line.size()) continue;
    const std::string_view text = line;
    const float x = at.x + text_width(t.font.mono, text.substr(0, match.begin));
    const float width = text_width(t.font.mono, text.substr(match.begin, match.end - match.begin));
    const bool current = marks.current_match == i;
    list.AddRectFilled(ImVec2(x, at.y), ImVec2(x + width, at.y + height),
                       faded(t.color.unsure, current ? 0.55f : 0.22f), t.px(2));
  }
}

}  // namespace

float code_line_height() { return theme().font.mono->FontSize * 1.2f; }

float draw_code_line(ImDrawList& list, std::string_view line, ImVec2 at, bool& in_comment,
                     float size) {
  ImFont* font = theme().font.mono;
  if (size <= 0) size = font->FontSize;
  float x = at.x;
  for (const Token& token : highlight(line, in_comment)) {
    const char* begin = line.data() + token.begin;
    const char* end = line.data() + token.end;
    list.AddText(font, size, ImVec2(x, at.y), color_of(token.kind), begin, end);
    x += font->CalcTextSizeA(size, FLT_MAX, 0, begin, end).x;
  }
  return x - at.x;
}

void skip_code_line(std::string_view line, bool& in_comment) { highlight(line, in_comment); }

std::optional<int> code_view(const char* id, std::string_view code, const EditorMarks& marks) {
  const Theme& t = theme();
  const std::vector<std::string> lines = lines_of(code);
  const float height = code_line_height(), digits = text_width(t.font.mono, "0000");
  const float gutter = marks.gutter_width + digits + t.px(26);
  ImGui::BeginChild(id, ImVec2(0, 0), 0,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NavFlattened);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (marks.goto_line)
    ImGui::SetScrollY(std::max(0.0f, static_cast<float>(*marks.goto_line - 6) * height));
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float left = ImGui::GetWindowPos().x, right = left + ImGui::GetWindowWidth();
  const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
  const bool hovered = ImGui::IsWindowHovered();
  std::optional<int> clicked;
  bool in_comment = false;
  float widest = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    const ImVec2 at(origin.x, origin.y + height * static_cast<float>(i) + t.px(8));
    widest = std::max(widest, text_width(t.font.mono, lines[i]));
    if (at.y + height < top || at.y > bottom) {
      skip_code_line(lines[i], in_comment);
      continue;
    }
    if (number == marks.chosen_line)
      list.AddRectFilled(ImVec2(left, at.y), ImVec2(right, at.y + height),
                         faded(t.color.accent, 0.10f));
    draw_found(list, marks, number, lines[i], ImVec2(at.x + gutter, at.y), height);
    const std::string label = std::to_string(number);
    const float numbers = at.x + marks.gutter_width + digits + t.px(8);
    draw_text(list, t.font.mono, ImVec2(numbers - text_width(t.font.mono, label), at.y),
              number == marks.chosen_line ? t.color.text : faded(t.color.faint, 0.8f), label);
    if (marks.draw_gutter) marks.draw_gutter(list, number, ImVec2(at.x + t.px(8), at.y), height);
    draw_code_line(list, lines[i], ImVec2(at.x + gutter, at.y), in_comment);
    const float y = ImGui::GetIO().MousePos.y;
    if (hovered && y >= at.y && y < at.y + height && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
      clicked = number;
  }
  ImGui::Dummy(
      ImVec2(gutter + widest + t.px(16), height * static_cast<float>(lines.size()) + t.px(16)));
  ImGui::EndChild();
  return clicked;
}

float code_block(std::string_view code, bool highlighted) {
  const Theme& t = theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  bool in_comment = false;
  float y = 0, widest = 0;
  for (const std::string& line : lines_of(code)) {
    const ImVec2 place(at.x, at.y + y);
    if (highlighted)
      draw_code_line(list, line, place, in_comment);
    else
      draw_text(list, t.font.mono, place, t.color.text, line);
    widest = std::max(widest, text_width(t.font.mono, line));
    y += code_line_height();
  }
  ImGui::Dummy(ImVec2(widest, y));
  return y;
}

}  // namespace klab::ui
