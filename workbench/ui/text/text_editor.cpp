// TextEditor: ImGui's multi-line input does the editing invisibly; the text is drawn over it.
#include "ui/text/text_editor.hpp"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "ui/look/widgets.hpp"
#include "ui/text/code_indent.hpp"
#include "ui/text/code_view.hpp"

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

/// The caret's place in the text.
struct Caret {
  int line = 1;
  std::size_t byte = 0;  ///< of the whole text
  float x = 0;           ///< from the text's left edge
};

std::optional<Caret> caret_of(const View& view) {
  if (!view.state) return std::nullopt;
  const ImWchar* text = view.state->TextW.Data;
  const int at = std::min(view.state->Stb.cursor, view.state->CurLenW);
  Caret caret;
  for (int i = 0; i < at; ++i) {
    caret.byte += static_cast<std::size_t>(ImTextCountUtf8BytesFromStr(text + i, text + i + 1));
    caret.x += theme().font.mono->GetCharAdvance(text[i]);
    if (text[i] == '\n') ++caret.line, caret.x = 0;
  }
  return caret;
}

void draw_caret(const View& view, ImDrawList& list, const Caret& caret) {
  if (std::fmod(std::max(view.state->CursorAnim, 0.0f), 1.2f) > 0.8f) return;
  const float x = view.origin.x + caret.x;
  const float y = view.origin.y + static_cast<float>(caret.line - 1) * view.line_height;
  list.AddRectFilled(ImVec2(x, y), ImVec2(x + theme().px(1.5f), y + view.line_height),
                     theme().color.accent);
}

void draw_number(const View& view, ImDrawList& list, int number, float y, bool current) {
  const Theme& t = theme();
  const std::string label = std::to_string(number);
  const float right = view.window->Pos.x + view.gutter - t.px(14);
  draw_text(list, t.font.mono, ImVec2(right - text_width(t.font.mono, label), y),
            current ? t.color.text : faded(t.color.faint, 0.8f), label);
}

const CompilerMessage* message_at(std::span<const CompilerMessage> messages, int line) {
  for (const CompilerMessage& message : messages)
    if (message.line == line) return &message;
  return nullptr;
}

/// What lies behind the characters [begin, end) of a line.
void draw_behind(const View& view, ImDrawList& list, std::string_view line, std::size_t begin,
                 std::size_t end, float y, ImU32 fill, ImU32 edge = 0) {
  const ImFont* font = theme().font.mono;
  end = std::min(end, line.size());
  if (begin >= end) return;
  ImFont* mono = const_cast<ImFont*>(font);
  const float x = view.origin.x + text_width(mono, line.substr(0, begin));
  const float width = text_width(mono, line.substr(begin, end - begin));
  const ImVec2 low(x, y), high(x + width, y + view.line_height);
  if (fill) list.AddRectFilled(low, high, fill, theme().px(2));
  if (edge) list.AddRect(low, high, edge, theme().px(2));
}

/// One visible line and all that belongs to it.
class LinePainter {
 public:
  LinePainter(const View& view, ImDrawList& list, const std::string& text, const EditorMarks& marks)
      : view_(view), list_(list), marks_(marks), caret_(caret_of(view)) {
    if (caret_) brackets_ = bracket_pair(text, caret_->byte);
  }

  const std::optional<Caret>& caret() const { return caret_; }
  bool is_current(int number) const {
    return number == (marks_.chosen_line > 0 ? marks_.chosen_line : caret_ ? caret_->line : 0);
  }

  void draw(std::string_view line, int number, std::size_t offset, float y, bool& in_comment) {
    const Theme& t = theme();
    const ImRect clip = view_.window->InnerClipRect;
    const ImVec2 left(clip.Min.x, y), right(clip.Max.x, y + view_.line_height);
    const CompilerMessage* message = message_at(marks_.messages, number);
    const ImU32 ink = message && message->severity == "error" ? t.color.bad : t.color.unsure;
    if (message)
      list_.AddRectFilled(left, right, faded(ink, 0.12f));
    else if (is_current(number))
      list_.AddRectFilled(left, right,
                          faded(marks_.chosen_line > 0 ? t.color.accent : t.color.faint, 0.10f));
    draw_matches(line, number, y);
    if (brackets_)
      for (const std::size_t at : {brackets_->first, brackets_->second})
        if (at >= offset && at < offset + line.size())
          draw_behind(view_, list_, line, at - offset, at - offset + 1, y, 0, t.color.accent);
    const float width = draw_code_line(list_, line, ImVec2(view_.origin.x, y), in_comment);
    if (message)
      draw_text(list_, t.font.small, ImVec2(view_.origin.x + width + t.px(24), y + t.px(1)), ink,
                message->text);
  }

 private:
  void draw_matches(std::string_view line, int number, float y) {
    const Theme& t = theme();
    for (std::size_t i = 0; i < marks_.matches.size(); ++i) {
      const TextMatch& match = marks_.matches[i];
      if (match.line != number) continue;
      const bool current = marks_.current_match == i;
      draw_behind(view_, list_, line, match.begin, match.end, y,
                  faded(t.color.unsure, current ? 0.55f : 0.22f), current ? t.color.unsure : 0);
    }
  }

  const View& view_;
  ImDrawList& list_;
  const EditorMarks& marks_;
  std::optional<Caret> caret_;
  std::optional<BracketPair> brackets_;
};

std::optional<Caret> draw_lines(const View& view, ImDrawList& list, const std::string& text,
                                const EditorMarks& marks) {
  const Theme& t = theme();
  const ImRect clip = view.window->InnerClipRect;
  const float left = view.window->Pos.x;
  LinePainter painter(view, list, text, marks);
  bool in_comment = false;
  std::vector<std::pair<int, float>> numbers;
  list.PushClipRect(ImVec2(left + view.gutter - t.px(6), clip.Min.y), clip.Max);
  std::size_t offset = 0;
  for (int number = 1;; ++number) {
    const auto end = text.find('\n', offset);
    const std::string_view line =
        std::string_view(text).substr(offset, end == std::string::npos ? end : end - offset);
    const float y = view.origin.y + static_cast<float>(number - 1) * view.line_height;
    if (y + view.line_height >= clip.Min.y && y <= clip.Max.y) {
      painter.draw(line, number, offset, y, in_comment);
      numbers.emplace_back(number, y);
    } else {
      skip_code_line(line, in_comment);
    }
    if (end == std::string::npos) break;
    offset = end + 1;
  }
  if (painter.caret()) draw_caret(view, list, *painter.caret());
  list.PopClipRect();
  list.PushClipRect(clip.Min, clip.Max);
  for (const auto& [number, y] : numbers) {
    draw_number(view, list, number, y, painter.is_current(number));
    if (marks.draw_gutter)
      marks.draw_gutter(list, number, ImVec2(left + t.px(8), y), view.line_height);
  }
  list.PopClipRect();
  return painter.caret();
}

/// Blanks follow what was typed, not what was pasted, undone or redone.
int indent_edit(ImGuiInputTextCallbackData* data) {
  const auto pressed = [](auto... keys) { return (ImGui::IsKeyPressed(keys) || ...); };
  const char last = data->CursorPos > 0 ? data->Buf[data->CursorPos - 1] : '\0';
  const bool typed = last == '}' ? !pressed(ImGuiKey_Backspace, ImGuiKey_Delete)
                                 : pressed(ImGuiKey_Enter, ImGuiKey_KeypadEnter, ImGuiKey_Tab);
  if (!typed || ImGui::GetIO().KeyCtrl) return 0;
  const Indentation change =
      indent_typed(std::string_view(data->Buf, static_cast<std::size_t>(data->BufTextLen)),
                   static_cast<std::size_t>(data->CursorPos));
  const int remove = static_cast<int>(change.remove);
  if (remove > 0) data->DeleteChars(data->CursorPos - remove, remove);
  if (!change.insert.empty()) data->InsertChars(data->CursorPos, change.insert.c_str());
  return 0;
}

}  // namespace

EditorResult text_editor(const char* id, std::string& text, const EditorMarks& marks) {
  const Theme& t = theme();
  const FontScope scope(t.font.mono);
  const float gutter = marks.gutter_width + text_width(t.font.mono, "0000") + t.px(24);
  const std::string before = text;
  EditorResult result;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(gutter, t.px(10)));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32_BLACK_TRANS);
  if (marks.take_caret) {  // SetKeyboardFocusHere() does not reach a field of many lines
    ImGui::ActivateItemByID(ImGui::GetID(id));
    GImGui->NavNextActivateFlags = ImGuiActivateFlags_PreferInput;
  }
  result.changed = ImGui::InputTextMultiline(
      id, &text, ImVec2(-1, -1),
      ImGuiInputTextFlags_AllowTabInput | ImGuiInputTextFlags_CallbackEdit, indent_edit);
  ImGui::PopStyleColor();
  note_control();
  // Escape leaves the editor; it must not take back what was typed, as ImGui would.
  if (result.changed && ImGui::IsKeyPressed(ImGuiKey_Escape)) {
    text = before;
    result.changed = false;
  }
  if (!ImGui::GetCurrentWindow()->SkipItems &&
      ImGui::GetCurrentWindow()->DC.ChildWindows.Size > 0) {
    const View view = view_of(ImGui::GetItemID(), gutter);
    if (marks.goto_line)
      ImGui::SetScrollY(
          view.window, std::max(0.0f, static_cast<float>(*marks.goto_line - 6) * view.line_height));
    if (const auto caret = draw_lines(view, *view.window->DrawList, text, marks))
      result.caret_line = caret->line;
  }
  ImGui::PopStyleVar(2);
  return result;
}

}  // namespace klab::ui
