// EditorInput: the keys that every editor has.
#include "ui/text/editor_input.hpp"

#include <imgui.h>

#include <algorithm>

#include "core/base/text.hpp"
#include "ui/window/typed_characters.hpp"

namespace klab::ui {
namespace {

bool pressed(ImGuiKey key) { return ImGui::IsKeyPressed(key); }

struct MotionKey {
  ImGuiKey key;
  Motion plain, with_control;
};
constexpr MotionKey motion_keys[] = {{ImGuiKey_LeftArrow, Motion::left, Motion::word_left},
                                     {ImGuiKey_RightArrow, Motion::right, Motion::word_right},
                                     {ImGuiKey_UpArrow, Motion::up, Motion::up},
                                     {ImGuiKey_DownArrow, Motion::down, Motion::down},
                                     {ImGuiKey_Home, Motion::line_begin, Motion::text_begin},
                                     {ImGuiKey_End, Motion::line_end, Motion::text_end}};

void add_moves(EditActs& acts, int page_lines, bool control) {
  const bool select = ImGui::GetIO().KeyShift;
  for (const MotionKey& key : motion_keys)
    if (pressed(key.key))
      acts.push_back(edit::Move{control ? key.with_control : key.plain, select});
  if (control) return;  // Ctrl+PageDown opens another lab
  if (pressed(ImGuiKey_PageUp)) acts.push_back(edit::Move{Motion::up, select, page_lines});
  if (pressed(ImGuiKey_PageDown)) acts.push_back(edit::Move{Motion::down, select, page_lines});
}

/// Cut, copy and paste, by letters or by the keys of old.
void add_clipboard(EditActs& acts, const TextDocument& document, bool control) {
  const bool shift = ImGui::GetIO().KeyShift, some = !document.selection().empty();
  const bool cut = (control && pressed(ImGuiKey_X)) || (shift && pressed(ImGuiKey_Delete));
  const bool copy = control && (pressed(ImGuiKey_C) || pressed(ImGuiKey_Insert));
  const bool paste = (control && pressed(ImGuiKey_V)) || (shift && pressed(ImGuiKey_Insert));
  if ((cut || copy) && some) copy_bytes(document.selected());
  if (cut && some) acts.push_back(edit::Erase{Motion::left});
  if (!paste) return;
  if (std::string bytes = pasted_bytes(); !bytes.empty())
    acts.push_back(edit::Paste{std::move(bytes)});
}

void add_control_keys(EditActs& acts, const TextDocument& document, bool prose) {
  const bool shift = ImGui::GetIO().KeyShift;
  if (pressed(ImGuiKey_A)) acts.push_back(edit::Select{0, document.text().size()});
  if (pressed(ImGuiKey_Z)) acts.push_back(shift ? EditAct(edit::Redo{}) : EditAct(edit::Undo{}));
  if (pressed(ImGuiKey_Y)) acts.push_back(edit::Redo{});
  if (!prose && (pressed(ImGuiKey_Slash) || pressed(ImGuiKey_KeypadDivide)))
    acts.push_back(edit::ToggleComment{});
}

void add_erasing(EditActs& acts, bool control) {
  if (pressed(ImGuiKey_Backspace))
    acts.push_back(edit::Erase{control ? Motion::word_left : Motion::left});
  if (pressed(ImGuiKey_Delete) && !ImGui::GetIO().KeyShift)
    acts.push_back(edit::Erase{control ? Motion::word_right : Motion::right});
}

struct Copied {
  std::string bytes, shown;
};
Copied& copied() {
  static Copied last;
  return last;
}

}  // namespace

EditActs pressed_acts(const TextDocument& document, int page_lines, bool prose) {
  EditActs acts;
  const ImGuiIO& io = ImGui::GetIO();
  const bool control = io.KeyCtrl;
  // Alt with Ctrl is how some keyboards type brackets.
  if (!control || io.KeyAlt)
    if (std::string typed = typed_characters(); !typed.empty())
      acts.push_back(edit::Type{std::move(typed)});
  if (io.KeyAlt) return acts;
  add_moves(acts, page_lines, control);
  add_erasing(acts, control);
  add_clipboard(acts, document, control);
  if (control) {
    add_control_keys(acts, document, prose);
    return acts;
  }
  if (pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeypadEnter)) acts.push_back(edit::BreakLine{});
  if (!prose && pressed(ImGuiKey_Tab))
    acts.push_back(io.KeyShift ? EditAct(edit::Outdent{}) : EditAct(edit::Indent{}));
  return acts;
}

void copy_bytes(std::string_view bytes) {
  const bool is_text = is_utf8(bytes) && bytes.find('\0') == std::string_view::npos;
  copied() = {std::string(bytes), is_text ? std::string(bytes) : printable(bytes)};
  ImGui::SetClipboardText(copied().shown.c_str());
}

std::string pasted_bytes() {
  const char* text = ImGui::GetClipboardText();
  if (text == nullptr) return {};
  return text == copied().shown ? copied().bytes : text;
}

}  // namespace klab::ui
