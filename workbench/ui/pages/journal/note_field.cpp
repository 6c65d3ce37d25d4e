// The learner's own words: a field that keeps what is typed until it is in the journal.
#include "ui/look/widgets.hpp"
#include "ui/pages/journal_parts.hpp"
#include "ui/pages/panels.hpp"

#include <imgui_stdlib.h>

namespace klab::ui {
namespace {

int active_frame = -2;  ///< the last one in which the field had the keyboard

/// Ctrl+Enter; in a slow frame the whole chord may arrive at once.
bool control_enter() {
  const bool control = ImGui::GetIO().KeyCtrl || ImGui::IsKeyReleased(ImGuiKey_LeftCtrl) ||
                       ImGui::IsKeyReleased(ImGuiKey_RightCtrl);
  return control && (ImGui::IsKeyPressed(ImGuiKey_Enter, false) ||
                     ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false));
}

}  // namespace

bool writing_note() {
  const int age = ImGui::GetFrameCount() - active_frame;
  return age == 0 || age == 1;
}

void draw_note_field(const Model& model, Commands& commands) {
  const Theme& t = theme();
  if (!model.lab() || !model.replaying.empty()) return;
  const auto found = model.journal.drafts.find(model.lab()->id);
  const std::string before = found == model.journal.drafts.end() ? "" : found->second;
  std::string draft = before;
  const Card card("note");
  text(t.font.strong, t.color.text, "A note to yourself");
  text(t.font.small, t.color.soft,
       "What surprised you, or what you would try next. It stays with this lab in your journal.",
       true);
  const FontScope scope(t.font.body);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, t.color.canvas);
  bool changed = ImGui::InputTextMultiline("##note", &draft, ImVec2(-1, t.px(76)));
  ImGui::PopStyleColor();
  note_control();
  const bool active = ImGui::IsItemActive(), left = ImGui::IsItemDeactivated();
  if (active) active_frame = ImGui::GetFrameCount();
  // Escape leaves the field; it must not take back what was typed, as ImGui would.
  if (changed && ImGui::IsKeyPressed(ImGuiKey_Escape)) changed = false;
  if (changed) commands.push_back(command::EditNote{draft});
  bool keep = (active || left) && control_enter();
  gap(4);
  const bool empty = draft.find_first_not_of(" \t\r\n") == std::string::npos;
  keep |= button("keep", "Keep the note", {.key = "Ctrl+Enter", .enabled = !empty});
  if (keep && !empty) commands.push_back(command::AddNote{});
}

}  // namespace klab::ui
