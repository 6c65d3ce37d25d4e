// CodeView: drawing of code, one line at a time, only the visible ones.
#include "ui/code_view.hpp"

#include <algorithm>
#include <string>

#include "ui/highlight.hpp"
#include "ui/widgets.hpp"

namespace klab::ui {
namespace {

constexpr int tab_columns = 4;

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

std::string with_spaces(std::string_view line) {
  std::string out;
  for (const char c : line) {
    if (c == '\t')
      out.append(tab_columns - out.size() % tab_columns, ' ');
    else if (c != '\r')
      out += c;
  }
  return out;
}

std::vector<std::string> lines_of(std::string_view code) {
  std::vector<std::string> lines;
  while (true) {
    const auto end = code.find('\n');
    lines.push_back(with_spaces(code.substr(0, end)));
    if (end == std::string_view::npos) break;
    code.remove_prefix(end + 1);
    if (code.empty()) break;
  }
  return lines;
}

float draw_line(ImDrawList& list, std::string_view line, ImVec2 at, bool highlighted,
                bool& in_comment) {
  const Theme& t = theme();
  if (!highlighted) {
    draw_text(list, t.font.mono, at, t.color.text, line);
    return text_width(t.font.mono, line);
  }
  float x = at.x;
  for (const Token& token : highlight(line, in_comment)) {
    const std::string_view piece = line.substr(token.begin, token.end - token.begin);
    draw_text(list, t.font.mono, ImVec2(x, at.y), color_of(token.kind), piece);
    x += text_width(t.font.mono, piece);
  }
  return x - at.x;
}

float line_height() { return theme().font.mono->FontSize * 1.45f; }

const CompilerMessage* message_at(std::span<const CompilerMessage> messages, int line) {
  for (const CompilerMessage& message : messages)
    if (message.line == line) return &message;
  return nullptr;
}

/// The tinted line behind a message, and its text to the right of the code.
float draw_message(ImDrawList& list, const CompilerMessage& message, ImVec2 at, float left,
                   float right, float code_end) {
  const Theme& t = theme();
  const bool error = message.severity == "error";
  const ImU32 ink = error ? t.color.bad : t.color.unsure;
  list.AddRectFilled(ImVec2(left, at.y), ImVec2(left + t.px(3), at.y + line_height()), ink);
  const float x = std::max(code_end + t.px(24), left);
  draw_text(list, t.font.small, ImVec2(x, at.y + (line_height() - t.font.small->FontSize) / 2), ink,
            message.text);
  return std::max(right, x + text_width(t.font.small, message.text)) - left;
}

}  // namespace

void code_view(const char* id, std::string_view code, const CodeViewLook& look) {
  const Theme& t = theme();
  const std::vector<std::string> lines = lines_of(code);
  const float height = line_height(), digits = text_width(t.font.mono, "0000");
  const float gutter = look.line_numbers ? digits + t.px(26) : t.px(14);
  ImGui::BeginChild(id, ImVec2(0, 0), 0,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NavFlattened);
  if (look.goto_line)
    ImGui::SetScrollY(std::max(
        0.0f, static_cast<float>(*look.goto_line - 1) * height - ImGui::GetWindowHeight() / 3));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float left = ImGui::GetWindowPos().x, top = ImGui::GetWindowPos().y;
  const float bottom = top + ImGui::GetWindowHeight();
  bool in_comment = false;
  float widest = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const ImVec2 at(origin.x, origin.y + height * static_cast<float>(i) + t.px(8));
    const int number = static_cast<int>(i) + 1;
    if (at.y + height < top || at.y > bottom) {
      highlight(lines[i], in_comment);  // keeps track of block comments
      widest = std::max(widest, text_width(t.font.mono, lines[i]));
      continue;
    }
    const CompilerMessage* message = message_at(look.messages, number);
    if (message)
      list.AddRectFilled(ImVec2(left, at.y), ImVec2(left + ImGui::GetWindowWidth(), at.y + height),
                         message->severity == "error" ? t.color.bad_soft : t.color.unsure_soft);
    const float text_y = at.y + (height - t.font.mono->FontSize) / 2;
    if (look.line_numbers) {
      const std::string label = std::to_string(number);
      draw_text(list, t.font.mono,
                ImVec2(at.x + digits + t.px(8) - text_width(t.font.mono, label), text_y),
                faded(t.color.faint, 0.8f), label);
    }
    float width = draw_line(list, lines[i], ImVec2(at.x + gutter, text_y), true, in_comment);
    if (message)
      width = draw_message(list, *message, at, left, left, at.x + gutter + width) - gutter;
    widest = std::max(widest, width);
  }
  ImGui::Dummy(
      ImVec2(gutter + widest + t.px(16), height * static_cast<float>(lines.size()) + t.px(16)));
  ImGui::EndChild();
}

float code_block(std::string_view code, bool highlighted) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = line_height();
  bool in_comment = false;
  float y = 0, widest = 0;
  for (const std::string& line : lines_of(code)) {
    widest =
        std::max(widest, draw_line(list, line, ImVec2(at.x, at.y + y), highlighted, in_comment));
    y += height;
  }
  ImGui::Dummy(ImVec2(widest, y));
  return y;
}

}  // namespace klab::ui
