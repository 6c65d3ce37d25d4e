// TextField: who has the keyboard, what the keys do to the line, and how it is drawn.
#include "ui/text/text_field.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "ui/edit/characters.hpp"
#include "ui/edit/text_document.hpp"
#include "ui/look/widgets.hpp"
#include "ui/text/editor_input.hpp"

namespace klab::ui {
namespace {

/// The field with the keyboard; there is one at most.
struct Held {
  ImGuiID id = 0;
  TextDocument document;
  std::string before;    ///< its value when it took the keyboard
  bool dragged = false;  ///< a selection, by the pointer
  float scrolled = 0;
};
Held held;

bool has_keyboard(ImGuiID id) { return GImGui->ActiveId == id && held.id == id; }

/// From the left edge of the text.
float x_in_field(std::string_view line, std::size_t at) {
  return text_width(ImGui::GetFont(), shown_line(line.substr(0, at)));
}

std::size_t byte_at(std::string_view line, float x) {
  std::size_t at = 0;
  for (float left = 0; at < line.size();) {
    const std::size_t next = next_character(line, at);
    const float right = x_in_field(line, next);
    if (x < (left + right) / 2) break;
    at = next;
    left = right;
  }
  return at;
}

/// What moves its caret or ends it is the field's own; Tab, and Up and Down, go on to other
/// controls.
void claim_keys(ImGuiID id) {
  ImGuiContext& g = *GImGui;
  g.ActiveIdUsingNavDirMask |= (1 << ImGuiDir_Left) | (1 << ImGuiDir_Right);
  // Other fields take the pointer, and so the first click on them, unless it drags here.
  g.ActiveIdAllowOverlap = !ImGui::IsMouseDown(ImGuiMouseButton_Left);
  for (const ImGuiKey key : {ImGuiKey_Home, ImGuiKey_End, ImGuiKey_Escape})
    ImGui::SetKeyOwner(key, id);
  g.WantTextInputNextFrame = 1;
}

/// Takes, keeps and gives back the keyboard.
void hold_keyboard(ImGuiID id, const std::string& value, bool take, bool hovered) {
  ImGuiContext& g = *GImGui;
  const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  // Enter in the field itself is no activation, though ImGui tells one.
  const bool by_key = take || (g.NavActivateId == id && !has_keyboard(id));
  if (!by_key && !(hovered && clicked)) {
    if (has_keyboard(id) && clicked) ImGui::ClearActiveID();
    return;
  }
  if (!has_keyboard(id)) {
    ImGuiWindow* window = ImGui::GetCurrentWindow();
    ImGui::SetActiveID(id, window);
    ImGui::SetFocusID(id, window);
    ImGui::FocusWindow(window);
    held = {.id = id, .document = TextDocument(value), .before = value};
  }
  if (by_key) held.document.apply(edit::Select{0, held.document.text().size()});
}

/// A field has one line: what else comes from the clipboard stands in it.
EditAct in_one_line(EditAct act) {
  if (auto* paste = std::get_if<edit::Paste>(&act))
    std::replace_if(
        paste->text.begin(), paste->text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return act;
}

bool fits(const EditAct& act, bool digits) {
  if (std::holds_alternative<edit::BreakLine>(act)) return false;
  if (const auto* move = std::get_if<edit::Move>(&act))
    return move->motion != Motion::up && move->motion != Motion::down;
  const auto* typed = std::get_if<edit::Type>(&act);
  const auto* pasted = std::get_if<edit::Paste>(&act);
  if (!digits || (!typed && !pasted)) return true;
  const std::string& text = typed ? typed->text : pasted->text;
  return text.find_first_not_of("0123456789") == std::string::npos;
}

void take_keys(bool digits) {
  for (EditAct& act : pressed_acts(held.document, 1, true))
    if (fits(act, digits)) held.document.apply(in_one_line(std::move(act)));
}

/// Clicks place the caret, select a word or everything, and drag a selection.
void take_mouse(float text_x, bool hovered) {
  const ImGuiIO& io = ImGui::GetIO();
  const std::string& line = held.document.text();
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) held.dragged = false;
  const bool clicked = hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  if (!clicked && !held.dragged) return;
  const std::size_t at = byte_at(line, io.MousePos.x - text_x);
  const int clicks = clicked ? io.MouseClickedCount[ImGuiMouseButton_Left] : 0;
  if (clicks == 2) {
    const ByteRange word = word_at(line, at);
    held.document.apply(edit::Select{word.begin, word.end});
  } else if (clicks == 3) {
    held.document.apply(edit::Select{0, line.size()});
  } else {
    held.document.apply(edit::Place{at, held.dragged || io.KeyShift});
    held.dragged = true;
  }
}

/// So far that the caret is in sight, and no farther than there is text.
void follow_caret(float room) {
  const std::string& line = held.document.text();
  const float caret = x_in_field(line, held.document.caret());
  held.scrolled = std::clamp(held.scrolled, caret - room, caret);
  held.scrolled =
      std::clamp(held.scrolled, 0.0f, std::max(0.0f, x_in_field(line, line.size()) - room));
}

void paint(const ImRect& inner, std::string_view line, std::string_view hint, bool editing) {
  const Theme& t = theme();
  ImFont* font = ImGui::GetFont();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float left = inner.Min.x - (editing ? held.scrolled : 0);
  list.PushClipRect(inner.Min, ImVec2(inner.Max.x + t.px(2), inner.Max.y), true);
  if (editing && !held.document.selection().empty()) {
    const Selection selection = held.document.selection();
    list.AddRectFilled(ImVec2(left + x_in_field(line, selection.from()), inner.Min.y),
                       ImVec2(left + x_in_field(line, selection.to()), inner.Max.y),
                       ImGui::GetColorU32(ImGuiCol_TextSelectedBg));
  }
  const ImVec2 at(left, inner.Min.y);
  if (line.empty())
    draw_text(list, font, at, ImGui::GetColorU32(ImGuiCol_TextDisabled), hint);
  else
    draw_text(list, font, at, ImGui::GetColorU32(ImGuiCol_Text), shown_line(line));
  if (editing) {
    const float x = left + x_in_field(line, held.document.caret());
    list.AddRectFilled(ImVec2(x, inner.Min.y), ImVec2(x + t.px(1.5f), inner.Max.y), t.color.accent);
  }
  list.PopClipRect();
}

/// Where an input method opens its window.
void place_input_method(const ImRect& inner) {
  ImGuiPlatformImeData& data = GImGui->PlatformImeData;
  const float caret = x_in_field(held.document.text(), held.document.caret());
  data.WantVisible = true;
  data.InputPos = ImVec2(inner.Min.x + caret - held.scrolled, inner.Min.y);
  data.InputLineHeight = inner.GetHeight();
}

}  // namespace

TextFieldResult text_field(const char* name, std::string& value, const TextFieldLook& look) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), padding = ImGui::GetStyle().FramePadding;
  const float width = look.width > 0 ? look.width : ImGui::GetContentRegionAvail().x;
  const ImRect frame(at, ImVec2(at.x + width, at.y + ImGui::GetFrameHeight()));
  const ImRect inner(ImVec2(frame.Min.x + padding.x, frame.Min.y + padding.y),
                     ImVec2(frame.Max.x - padding.x, frame.Max.y - padding.y));
  const ImGuiID id = ImGui::GetID(name);
  TextFieldResult result;
  ImGui::ItemSize(frame, padding.y);
  const bool visible = ImGui::ItemAdd(frame, id, nullptr, ImGuiItemFlags_Inputable);
  note_control();
  const bool hovered = visible && ImGui::ItemHoverable(frame, id, GImGui->LastItemData.InFlags);
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  const bool begun = has_keyboard(id) || look.take;
  hold_keyboard(id, value, look.take, hovered);
  const bool editing = has_keyboard(id);
  if (editing) {
    claim_keys(id);
    held.document.become(value);                 // what somebody else made of it meanwhile
    if (begun || GImGui->NavActivateId != id) {  // the key that gave it the keyboard is no text
      take_keys(look.digits);
      result.escaped = ImGui::IsKeyPressed(ImGuiKey_Escape, false);
      result.entered = ImGui::IsKeyPressed(ImGuiKey_Enter, false) ||
                       ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
    }
    take_mouse(inner.Min.x - held.scrolled, hovered);
    follow_caret(inner.GetWidth());
    place_input_method(inner);
    const std::string& now = result.escaped ? held.before : held.document.text();
    result.changed = now != value;
    if (result.changed) value = now;
  }
  if (visible) {
    ImGui::RenderFrame(frame.Min, frame.Max, ImGui::GetColorU32(ImGuiCol_FrameBg), true,
                       ImGui::GetStyle().FrameRounding);
    paint(inner, value, look.hint, editing);
  }
  if (result.escaped) ImGui::ClearActiveID();
  return result;
}

}  // namespace klab::ui
