// Hints: one at a time, from symptom to code shape.
#include <algorithm>

#include "ui/look/widgets.hpp"
#include "ui/pages/panels.hpp"
#include "ui/text/markdown.hpp"

namespace klab::ui {
namespace {

/// The card below grows with its new hint before it can be scrolled to its end.
constexpr int hint_settling_frames = 3;

/// Brings the last hint into sight once one was asked for, wherever the lesson stood.
void follow_requests(const Model& model, Commands& commands) {
  ImGuiStorage& kept = *ImGui::GetStateStorage();
  const ImGuiID frames = ImGui::GetID("frames");
  if (fulfil(model, Wish::last_hint, commands)) kept.SetInt(frames, hint_settling_frames);
  const int left = kept.GetInt(frames);
  if (left <= 0) return;
  kept.SetInt(frames, left - 1);
  ImGui::SetScrollHereY(1);
}

void draw_hint_card(const Model& model, Commands& commands) {
  const Theme& t = theme();
  const LabEntry& entry = *model.entry();
  const int all = static_cast<int>(entry.lab.hints.size());
  const int shown = std::min(entry.progress.hints_shown, all);
  const Card card("hints");
  text(t.font.strong, t.color.text, "Hints");
  ImGui::SameLine(0, t.px(10));
  text(t.font.small, t.color.faint,
       std::to_string(shown) + " of " + std::to_string(all) + " shown");
  for (int i = 0; i < shown; ++i) {
    gap(4);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(*ImGui::GetWindowDrawList(), t.font.strong, ImVec2(at.x, at.y + t.px(3)),
              t.color.accent, std::to_string(i + 1));
    ImGui::Indent(t.px(24));
    ImGui::PushID(i);
    draw_markdown(markdown::parse(entry.lab.hints[static_cast<std::size_t>(i)]), t.px(680));
    ImGui::PopID();
    ImGui::Unindent(t.px(24));
  }
  if (shown == all) return draw_give_up(model, commands);
  gap(6);
  if (button("hint", shown == 0 ? "Show a hint" : "Show the next hint", {.key = "F2"}))
    commands.push_back(command::ShowHint{});
}

}  // namespace

void draw_hints(const Model& model, Commands& commands) {
  if (model.entry()->lab.hints.empty()) return;
  draw_hint_card(model, commands);
  follow_requests(model, commands);
}

}  // namespace klab::ui
