// The learner's own words: a field that keeps what is typed until it is in the journal.
#include "ui/look/widgets.hpp"
#include "ui/pages/journal_parts.hpp"
#include "ui/pages/panels.hpp"
#include "ui/text/text_editor.hpp"

namespace klab::ui {
namespace {

int active_frame = -2;  ///< the last one in which the field had the keyboard

bool control_enter() {
  return ImGui::GetIO().KeyCtrl && (ImGui::IsKeyPressed(ImGuiKey_Enter, false) ||
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
  static const TextDocument nothing;
  const auto found = model.journal.drafts.find(model.lab()->id);
  const TextDocument& draft = found == model.journal.drafts.end() ? nothing : found->second;
  const Card card("note");
  text(t.font.strong, t.color.text, "A note to yourself");
  text(t.font.small, t.color.soft,
       "What surprised you, or what you would try next. It stays with this lab in your journal.",
       true);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, t.color.canvas);
  EditorResult field = text_editor("words", draft, {.prose = true}, t.px(76));
  ImGui::PopStyleColor();
  if (field.editing) active_frame = ImGui::GetFrameCount();
  if (field.escaped) leave_editor();
  if (!field.acts.empty()) commands.push_back(command::EditNote{std::move(field.acts)});
  gap(4);
  const bool empty = draft.text().find_first_not_of(" \t\r\n") == std::string::npos;
  const bool keep = button("keep", "Keep the note", {.key = "Ctrl+Enter", .enabled = !empty});
  if (keep || (field.editing && control_enter())) commands.push_back(command::AddNote{});
}

}  // namespace klab::ui
