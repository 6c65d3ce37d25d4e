// Tooltip: beside the pointer, or beside what keys have moved to.
#include "ui/look/tooltip.hpp"

#include <imgui_internal.h>

#include <algorithm>

#include "ui/look/widgets.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

ImVec2 last_pointer;       ///< where the pointer was in the frame before
bool typed_since = false;  ///< a key was pressed since it moved

bool a_key_is_pressed() {
  for (int key = ImGuiKey_Tab; key < ImGuiKey_GamepadStart; ++key)
    if ((key < ImGuiKey_LeftCtrl || key > ImGuiKey_RightSuper) &&
        ImGui::IsKeyPressed(static_cast<ImGuiKey>(key)))
      return true;
  return ImGui::GetIO().InputQueueCharacters.Size > 0;
}

void draw_tooltip(std::string_view sentence) {
  if (sentence.empty()) return;
  const Theme& t = theme();
  const std::string words = plain_words(sentence);
  const std::string_view value = words;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(t.px(12), t.px(10)));
  if (ImGui::BeginTooltip()) {
    // Tooltips grow with their content, so the width is found first.
    float widest = 0;
    for (std::size_t from = 0; from <= value.size();) {
      const auto end = std::min(value.find('\n', from), value.size());
      widest = std::max(widest, text_width(t.font.small, value.substr(from, end - from)));
      from = end + 1;
    }
    const float width = std::min(widest + 1, t.px(400));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height =
        draw_wrapped(ImGui::GetWindowDrawList(), t.font.small, at, t.color.text, value, width);
    ImGui::Dummy(ImVec2(width, height));
    ImGui::EndTooltip();
  }
  ImGui::PopStyleVar();
}

}  // namespace

void follow_pointer() {
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  const bool moved = pointer.x != last_pointer.x || pointer.y != last_pointer.y;
  last_pointer = pointer;
  if (moved || ImGui::IsMouseDown(0))
    typed_since = false;
  else if (a_key_is_pressed())
    typed_since = true;
}

bool pointer_rests() { return typed_since; }

void tooltip(std::string_view sentence) {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip | ImGuiHoveredFlags_AllowWhenDisabled))
    return;
  // What keys have moved to tells what it is, wherever the pointer rests.
  const bool by_keys = ImGui::GetCurrentContext()->NavDisableMouseHover;
  if (by_keys || !typed_since) draw_tooltip(sentence);
}

void show_tooltip(std::string_view sentence) {
  if (!typed_since) draw_tooltip(sentence);
}

}  // namespace klab::ui
