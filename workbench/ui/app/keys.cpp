// Keys: the keyboard for everything, in one place.
#include "ui/model/lab_list.hpp"
#include "ui/pages/code/parts.hpp"
#include "ui/pages/lab_number.hpp"
#include "ui/pages/panels.hpp"

#include <imgui.h>

namespace klab::ui {
namespace {

bool pressed(ImGuiKey key) { return ImGui::IsKeyPressed(key, false); }

bool held(ImGuiKey left, ImGuiKey right) {
  return ImGui::IsKeyDown(left) || ImGui::IsKeyDown(right);
}

/// 0 for key 1, 8 for key 9; -1 if none was pressed.
int digit_pressed() {
  for (int i = 0; i < 9; ++i)
    if (pressed(static_cast<ImGuiKey>(ImGuiKey_1 + i)) ||
        pressed(static_cast<ImGuiKey>(ImGuiKey_Keypad1 + i)))
      return i;
  return -1;
}

void take_control_keys(const Model& model, Commands& commands) {
  // As long as Ctrl is held, digits make one number.
  const auto lab =
      lab_number_typed(model.labs, pressed(ImGuiKey_LeftCtrl) || pressed(ImGuiKey_RightCtrl));
  if (lab) commands.push_back(command::OpenLab{*lab});
  const int step = pressed(ImGuiKey_PageDown) - pressed(ImGuiKey_PageUp);
  if (const auto beside = step == 0 ? std::nullopt : lab_beside(model, step))
    commands.push_back(command::OpenLab{*beside});
  take_code_keys(model, commands);
  if (pressed(ImGuiKey_S)) commands.push_back(command::SaveCode{});
  if (pressed(ImGuiKey_W)) commands.push_back(command::SetWatch{!model.watch});
  if (pressed(ImGuiKey_D)) commands.push_back(command::SetDark{!model.window.dark});
  if (pressed(ImGuiKey_B)) commands.push_back(command::ToggleLabs{});
  if (pressed(ImGuiKey_L)) {
    if (narrow_window() && !model.window.labs_open) commands.push_back(command::ToggleLabs{});
    commands.push_back(command::FindLab{});
  }
  if (pressed(ImGuiKey_Q)) commands.push_back(command::Quit{});
  if (pressed(ImGuiKey_Equal) || pressed(ImGuiKey_KeypadAdd))
    commands.push_back(command::SetZoom{model.window.zoom + 0.1f});
  if (pressed(ImGuiKey_Minus) || pressed(ImGuiKey_KeypadSubtract))
    commands.push_back(command::SetZoom{model.window.zoom - 0.1f});
  if (!lab && pressed(ImGuiKey_0)) commands.push_back(command::SetZoom{1});
}

void escape(const Model& model, Commands& commands) {
  if (ImGui::GetIO().WantTextInput) return;  // it leaves the editor
  if (model.window.help_open)
    commands.push_back(command::ToggleHelp{});
  else if (model.window.labs_open)
    commands.push_back(command::ToggleLabs{});
  else if (model.window.asking_prediction)
    commands.push_back(command::CancelPrediction{});
  else if (model.running_here())  // of another lab nothing is stopped unseen
    commands.push_back(command::StopCheck{});
  else if (model.window.notice)
    commands.push_back(command::DismissNotice{});
  else if (model.page.state.view.finding || model.page.state.view.going_to_line)
    close_bar(model, commands);
}

CodeChoice next_choice(const Model& model) {
  const int choices = model.can_compare_code() ? 4 : 3;
  return static_cast<CodeChoice>((static_cast<int>(model.page.shown_code) + 1) % choices);
}

/// Digits answer the first question that is still open; Backspace opens the one before it again.
void take_prediction_keys(const Model& model, Commands& commands) {
  const PredictionState& prediction = model.page.prediction;
  const std::size_t open = prediction.open_question();
  if (pressed(ImGuiKey_Backspace) && open > 0)
    commands.push_back(command::AnswerPrediction{open - 1, std::nullopt});
  const int digit = digit_pressed();
  if (digit >= 0 && open < prediction.answers.size() &&
      digit < static_cast<int>(model.lab()->predictions[open].choices.size()))
    commands.push_back(command::AnswerPrediction{open, digit});
}

}  // namespace

void take_keys(const Model& model, Commands& commands) {
  const bool control = held(ImGuiKey_LeftCtrl, ImGuiKey_RightCtrl);
  if (model.presentation)
    return control ? take_control_keys(model, commands) : take_deck_keys(model, commands);
  if (pressed(ImGuiKey_F1)) commands.push_back(command::ToggleHelp{});
  if (pressed(ImGuiKey_Escape)) escape(model, commands);
  if (pressed(ImGuiKey_F5) || (control && pressed(ImGuiKey_Enter) && !writing_note()))
    commands.push_back(command::RunCheck{});
  if (pressed(ImGuiKey_F2)) commands.push_back(command::ShowHint{});
  if (pressed(ImGuiKey_F3) && model.page.kernels)
    commands.push_back(command::ShowCode{next_choice(model)});
  if (pressed(ImGuiKey_F4) && model.lab()) commands.push_back(command::EditMine{});
  if (control) return take_control_keys(model, commands);
  if (held(ImGuiKey_LeftAlt, ImGuiKey_RightAlt)) {
    // Zero stands after nine on the keyboard.
    const int digit = pressed(ImGuiKey_0) || pressed(ImGuiKey_Keypad0) ? 9 : digit_pressed();
    if (digit >= 0 && digit < static_cast<int>(std::size(all_pages)))
      commands.push_back(command::ShowPage{all_pages[digit]});
    return;
  }
  if (pressed(ImGuiKey_F11)) {
    commands.push_back(command::Present{true});
    commands.push_back(command::SetFullScreen{true});
  }
  if (pressed(ImGuiKey_P) && !ImGui::GetIO().WantTextInput)
    commands.push_back(command::Present{true});
  if (model.window.asking_prediction && !ImGui::GetIO().WantTextInput)
    take_prediction_keys(model, commands);
}

}  // namespace klab::ui
