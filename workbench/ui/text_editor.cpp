// TextEditor: ImGui's multi-line input does the editing invisibly; the text is drawn over it.
#include "ui/text_editor.hpp"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "ui/code_view.hpp"
#include "ui/widgets.hpp"

namespace klab::ui {
namespace {

/// Where the input drew its first character, and what it shows of itself.
struct View {
  ImGuiWindow* window;
  ImGuiInputTextState* state;  ///< nullptr while it is not being edited
  ImVec2 origin;
  float line_height;
  float gutter;
};

View view_of(ImGuiID id, float gutter) {
  ImGuiWindow* window = ImGui::GetCurrentWindow()->DC.ChildWindows.back();
  ImGuiInputTextState* state = ImGui::GetActiveID() == id ? ImGui::GetInputTextState(id) : nullptr;
  const ImVec2 padding = ImGui::GetStyle().FramePadding;
  const float scrolled = state ? state->ScrollX : 0;
  return {window, state,
          ImVec2(window->Pos.x + padding.x - window->Scroll.x - scrolled,
                 window->Pos.y + padding.y - window->Scroll.y),
          ImGui::GetFontSize(), gutter};
}

void draw_caret(const View& view, ImDrawList& list) {
  if (!view.state || std::fmod(std::max(view.state->CursorAnim, 0.0f), 1.2f) > 0.8f) return;
  const ImWchar* text = view.state->TextW.Data;
  const int at = std::min(view.state->Stb.cursor, view.state->CurLenW);
  int line = 0, begin = 0;
  for (int i = 0; i < at; ++i)
    if (text[i] == '\n') ++line, begin = i + 1;
  float x = view.origin.x;
  for (int i = begin; i < at; ++i) x += theme().font.mono->GetCharAdvance(text[i]);
  const float y = view.origin.y + static_cast<float>(line) * view.line_height;
  list.AddRectFilled(ImVec2(x, y), ImVec2(x + theme().px(1.5f), y + view.line_height),
                     theme().color.accent);
}

void draw_number(const View& view, ImDrawList& list, int number, float y) {
  const Theme& t = theme();
  const std::string label = std::to_string(number);
  const float right = view.window->Pos.x + view.gutter - t.px(14);
  draw_text(list, t.font.mono, ImVec2(right - text_width(t.font.mono, label), y),
            faded(t.color.faint, 0.8f), label);
}

const CompilerMessage* message_at(std::span<const CompilerMessage> messages, int line) {
  for (const CompilerMessage& message : messages)
    if (message.line == line) return &message;
  return nullptr;
}

void draw_lines(const View& view, ImDrawList& list, const std::string& text,
                std::span<const CompilerMessage> messages) {
  const Theme& t = theme();
  const ImRect clip = view.window->InnerClipRect;
  const float left = view.window->Pos.x;
  bool in_comment = false;
  std::string_view rest = text;
  std::vector<std::pair<int, float>> numbers;
  list.PushClipRect(ImVec2(left + view.gutter - t.px(6), clip.Min.y), clip.Max);
  for (int number = 1;; ++number) {
    const auto end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    const float y = view.origin.y + static_cast<float>(number - 1) * view.line_height;
    if (y + view.line_height >= clip.Min.y && y <= clip.Max.y) {
      const CompilerMessage* message = message_at(messages, number);
      const ImU32 ink = message && message->severity == "error" ? t.color.bad : t.color.unsure;
      if (message)
        list.AddRectFilled(ImVec2(clip.Min.x, y), ImVec2(clip.Max.x, y + view.line_height),
                           faded(ink, 0.12f));
      const float width = draw_code_line(list, line, ImVec2(view.origin.x, y), in_comment);
      if (message)
        draw_text(list, t.font.small, ImVec2(view.origin.x + width + t.px(24), y + t.px(1)), ink,
                  message->text);
      numbers.emplace_back(number, y);
    } else {
      skip_code_line(line, in_comment);
    }
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  draw_caret(view, list);
  list.PopClipRect();
  list.PushClipRect(clip.Min, clip.Max);
  for (const auto& [number, y] : numbers) draw_number(view, list, number, y);
  list.PopClipRect();
}

}  // namespace

bool text_editor(const char* id, std::string& text, std::span<const CompilerMessage> messages,
                 std::optional<int> goto_line) {
  const Theme& t = theme();
  const FontScope scope(t.font.mono);
  const float gutter = text_width(t.font.mono, "0000") + t.px(24);
  const std::string before = text;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(gutter, t.px(10)));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32_BLACK_TRANS);
  bool changed =
      ImGui::InputTextMultiline(id, &text, ImVec2(-1, -1), ImGuiInputTextFlags_AllowTabInput);
  ImGui::PopStyleColor();
  note_control();
  // Escape leaves the editor; it must not take back what was typed, as ImGui would.
  if (changed && ImGui::IsKeyPressed(ImGuiKey_Escape)) {
    text = before;
    changed = false;
  }
  if (!ImGui::GetCurrentWindow()->SkipItems &&
      ImGui::GetCurrentWindow()->DC.ChildWindows.Size > 0) {
    const View view = view_of(ImGui::GetItemID(), gutter);
    if (goto_line)
      ImGui::SetScrollY(view.window,
                        std::max(0.0f, static_cast<float>(*goto_line - 6) * view.line_height));
    draw_lines(view, *view.window->DrawList, text, messages);
  }
  ImGui::PopStyleVar(2);
  return changed;
}

}  // namespace klab::ui
