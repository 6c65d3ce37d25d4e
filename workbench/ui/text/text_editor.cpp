// TextEditor: who has the keyboard, where the mouse points, how far it is scrolled.
#include "ui/text/text_editor.hpp"

#include <imgui_internal.h>

#include <algorithm>

#include "ui/edit/characters.hpp"
#include "ui/look/widgets.hpp"
#include "ui/text/editor_input.hpp"
#include "ui/text/editor_paint.hpp"

namespace klab::ui {
namespace {

constexpr float top_padding = 10;
/// Columns kept in sight beside the caret.
constexpr float columns_ahead = 4;

/// What an editor remembers from frame to frame, by value: references into ImGui's storage move.
class Memory {
 public:
  explicit Memory(ImGuiID id) : id_(id) {}
  bool editing() const { return storage().GetBool(id_ + 1); }
  void set_editing(bool on) { storage().SetBool(id_ + 1, on); }
  bool dragging() const { return storage().GetBool(id_ + 2); }
  void set_dragging(bool on) { storage().SetBool(id_ + 2, on); }
  /// True once after each change of the caret's place.
  bool caret_moved(std::size_t caret) {
    const int now = static_cast<int>(caret) + 1;
    const int before = storage().GetInt(id_ + 3);
    storage().SetInt(id_ + 3, now);
    return before != 0 && before != now;
  }

 private:
  static ImGuiStorage& storage() { return *ImGui::GetStateStorage(); }
  ImGuiID id_;
};

/// An editor of prose is a field among others: it has the keys by which its caret moves; Tab and
/// Escape leave it.
void be_a_field(ImGuiID id) {
  GImGui->ActiveIdUsingNavDirMask |=
      (1 << ImGuiDir_Left) | (1 << ImGuiDir_Right) | (1 << ImGuiDir_Up) | (1 << ImGuiDir_Down);
  for (const ImGuiKey key : {ImGuiKey_Home, ImGuiKey_End, ImGuiKey_PageUp, ImGuiKey_PageDown})
    ImGui::SetKeyOwner(key, id);
}

/// Takes, keeps and gives back the keyboard; true while the editor has it.
bool hold_keyboard(ImGuiID id, Memory& memory, bool prose, bool wanted, bool hovered) {
  ImGuiContext& g = *GImGui;
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  const auto of_scrollbars = [&](ImGuiID active) {
    return active != 0 && (active == ImGui::GetWindowScrollbarID(window, ImGuiAxis_X) ||
                           active == ImGui::GetWindowScrollbarID(window, ImGuiAxis_Y));
  };
  const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  // Whoever scrolls by mouse goes on typing.
  const bool scrolled =
      memory.editing() && g.ActiveId == 0 && of_scrollbars(g.ActiveIdPreviousFrame);
  if (wanted || scrolled || (hovered && clicked) || g.NavActivateId == id) {
    if (g.ActiveId != id) {
      ImGui::SetActiveID(id, window);
      ImGui::SetFocusID(id, window);
      ImGui::FocusWindow(window);
    }
    memory.set_editing(true);
  } else if (g.ActiveId == id && clicked && !hovered) {
    ImGui::ClearActiveID();
  }
  if (g.ActiveId != id) {
    if (!of_scrollbars(g.ActiveId)) memory.set_editing(false);
    return false;
  }
  // What else is in the window takes the pointer that is there, and so the first click on it,
  // unless it drags here.
  const bool pointed = prose || (!hovered && ImGui::IsMousePosValid());
  g.ActiveIdAllowOverlap = pointed && !ImGui::IsMouseDown(ImGuiMouseButton_Left);
  if (prose)
    be_a_field(id);
  else
    ImGui::SetActiveIdUsingAllKeyboardKeys();
  g.WantTextInputNextFrame = 1;
  return true;
}

/// Clicks place the caret, select a word or a line, and drag a selection.
void add_mouse(EditActs& acts, Memory& memory, const EditorView& view, const TextDocument& document,
               bool hovered) {
  const ImGuiIO& io = ImGui::GetIO();
  const std::string_view text = document.text();
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) memory.set_dragging(false);
  const bool clicked = hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  if (!clicked && !(memory.dragging() && view.editing)) return;
  const std::size_t at = view.byte_at(text, io.MousePos);
  if (clicked) {
    const int clicks = io.MouseClickedCount[ImGuiMouseButton_Left];
    if (clicks == 2) {
      const ByteRange word = word_at(text, at);
      acts.push_back(edit::Select{word.begin, word.end});
    } else if (clicks == 3) {
      const auto end = text.find('\n', at);
      acts.push_back(edit::Select{line_begin(text, at),
                                  end == std::string_view::npos ? text.size() : end + 1});
    } else {
      acts.push_back(edit::Place{at, io.KeyShift});
      memory.set_dragging(true);
    }
  } else if (at != document.caret()) {
    acts.push_back(edit::Place{at, true});
  }
}

/// Scrolls so far that the caret is in sight.
void follow_caret(const EditorView& view, const TextDocument& document) {
  const ImVec2 caret = view.place_of(document.text(), document.caret());
  const float ahead = columns_ahead * text_width(theme().font.mono, "0");
  const float left = view.from.x + view.gutter, right = view.to.x - ahead;
  if (caret.x < left)
    ImGui::SetScrollX(std::max(0.0f, ImGui::GetScrollX() - (left - caret.x) - ahead));
  else if (caret.x > right)
    ImGui::SetScrollX(ImGui::GetScrollX() + caret.x - right);
  const float above = view.from.y - caret.y, below = caret.y + 2 * view.line_height - view.to.y;
  if (above > 0)
    ImGui::SetScrollY(std::max(0.0f, ImGui::GetScrollY() - above));
  else if (below > 0)
    ImGui::SetScrollY(ImGui::GetScrollY() + below);
}

/// Where an input method opens its window.
void place_input_method(const EditorView& view, const TextDocument& document) {
  ImGuiPlatformImeData& data = GImGui->PlatformImeData;
  data.WantVisible = true;
  data.InputPos = view.place_of(document.text(), document.caret());
  data.InputLineHeight = view.line_height;
}

float gutter_of(float more, bool prose = false) {
  if (prose) return theme().px(10);
  return more + text_width(theme().font.mono, "0000") + theme().px(24);
}

/// The text's place in the current window, which it fills.
EditorView lay_out(float gutter) {
  const Theme& t = theme();
  const ImGuiWindow* window = ImGui::GetCurrentWindow();
  const ImRect inner = window->InnerRect;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  return {.text = ImVec2(at.x + gutter, at.y + t.px(top_padding)),
          .from = inner.Min,
          .to = inner.Max,
          .line_height = t.font.mono->FontSize,
          .gutter = gutter};
}

}  // namespace

float editor_width(int columns) {
  const float advance = text_width(theme().font.mono, "0");
  return gutter_of(0) + (static_cast<float>(columns) + columns_ahead) * advance +
         ImGui::GetStyle().ScrollbarSize;
}

void leave_editor() { ImGui::ClearActiveID(); }

EditorResult text_editor(const char* name, const TextDocument& document, const EditorMarks& marks,
                         float height) {
  const Theme& t = theme();
  const FontScope scope(t.font.mono);
  EditorResult result;
  const bool visible =
      ImGui::BeginChild(name, ImVec2(0, height), 0,
                        ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NavFlattened);
  EditorView view = lay_out(gutter_of(marks.gutter_width, marks.prose));
  const ImGuiID id = ImGui::GetID("text");
  const float lines = static_cast<float>(line_count(document.text()));
  const ImVec2 size(view.gutter + widest_line(document.text()) + t.px(24),
                    2 * t.px(top_padding) + lines * view.line_height);
  const ImRect sight(view.from, view.to);
  ImGui::ItemSize(size);
  ImGui::ItemAdd(sight, id, &sight);
  note_control();
  const bool hovered = visible && ImGui::ItemHoverable(sight, id, GImGui->LastItemData.InFlags);
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  Memory memory(id);
  const bool begun = GImGui->ActiveId == id;
  result.editing = view.editing = hold_keyboard(id, memory, marks.prose, marks.take_caret, hovered);
  // The key that gave it the keyboard is no text; Enter in a note is, though ImGui tells an
  // activation.
  if (view.editing && (begun || GImGui->NavActivateId != id)) {
    const int page = static_cast<int>((view.to.y - view.from.y) / view.line_height) - 1;
    result.acts = pressed_acts(document, std::max(1, page), marks.prose);
    result.keyed = !result.acts.empty();
    result.escaped = ImGui::IsKeyPressed(ImGuiKey_Escape, false);
    place_input_method(view, document);
  }
  add_mouse(result.acts, memory, view, document, hovered);
  if (marks.goto_line)
    ImGui::SetScrollY(std::max(0.0f, static_cast<float>(*marks.goto_line - 6) * view.line_height));
  if (memory.caret_moved(document.caret()) && !marks.goto_line) follow_caret(view, document);
  paint_editor(*ImGui::GetWindowDrawList(), view, document, marks);
  ImGui::EndChild();
  return result;
}

}  // namespace klab::ui
