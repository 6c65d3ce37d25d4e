// Header: which lab this is, and the one thing to do next.
#include <algorithm>

#include "ui/look/widgets.hpp"
#include "ui/pages/panels.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

bool is_started(const Model& model) {
  return !model.replaying.empty() || model.entry()->progress.status != LabStatus::not_started;
}

float act_width(const Model& model) {
  const Theme& t = theme();
  const bool stops = model.checks.running_lab == model.lab()->id;
  float width = button_size(stops               ? "Stop"
                            : is_started(model) ? "Check"
                                                : "Start",
                            {.icon = Icon::play, .key = stops ? "Esc" : "F5"})
                    .x;
  if (!narrow_window()) width += t.px(38 + 16) + text_width(t.font.body, "Check on save");
  return width + t.px(34) * (narrow_window() ? 1 : 2);
}

void draw_acts(const Model& model, Commands& commands) {
  const Theme& t = theme();
  if (!narrow_window()) {
    if (toggle("watch", "Check on save", model.watch,
               "Checks again whenever you save your kernel in any editor (Ctrl+W)"))
      commands.push_back(command::SetWatch{!model.watch});
    ImGui::SameLine(0, t.px(16));
  }
  if (model.checks.running_lab == model.lab()->id) {
    const bool canceling = model.run() && model.run()->canceling;
    if (button("act", canceling ? "Stopping" : "Stop",
               {.icon = Icon::stop, .key = "Esc", .enabled = !canceling}))
      commands.push_back(command::StopCheck{});
  } else if (!is_started(model)) {  // which takes no runner
    if (button("act", "Start", {.kind = ButtonKind::primary, .icon = Icon::play, .key = "F5"}))
      commands.push_back(command::StartLab{});
    tooltip(
        "Copies the flawed kernel into your workbook, and asks what you expect. Nothing of yours "
        "is ever overwritten.");
  } else if (model.running()) {
    button("act", "Check",
           {.kind = ButtonKind::primary, .icon = Icon::play, .key = "F5", .enabled = false});
    tooltip(what_has_to_end(model));
  } else {
    if (button("act", "Check", {.kind = ButtonKind::primary, .icon = Icon::play, .key = "F5"}))
      commands.push_back(command::RunCheck{});
    tooltip(model.counts_only() ? "Builds your kernel and checks result and cause."
                                : "Builds your kernel and checks result, cause and time.");
  }
  ImGui::SameLine(0, t.px(4));
  if (!narrow_window()) {
    if (icon_button("present", Icon::present, "Present the lab slide by slide (P)"))
      commands.push_back(command::Present{true});
    ImGui::SameLine(0, t.px(4));
  }
  if (icon_button("help", Icon::help, "Keys and help (F1)"))
    commands.push_back(command::ToggleHelp{});
}

}  // namespace

void draw_header(const Model& model, Commands& commands) {
  const Theme& t = theme();
  if (!model.lab()) {
    text(t.font.display, t.color.text, "Kernel Lab");
    text(t.font.body, t.color.soft,
         model.broken.empty()
             ? "No labs were found. Start the workbench from the repository with `./klab`."
             : "No lab could be read: " + window_words(model.broken.front()),
         true);
    return;
  }
  const Lab& lab = *model.lab();
  const float right = ImGui::GetContentRegionMax().x;
  const float acts = right - act_width(model);
  if (narrow_window()) {
    if (icon_button("labs", Icon::list, "All labs (Ctrl+B)"))
      commands.push_back(command::ToggleLabs{});
    ImGui::SameLine(0, t.px(6));
  }
  const float top = ImGui::GetCursorPosY();
  const float room = acts - ImGui::GetCursorPosX() - t.px(16);
  ImFont* font = text_width(t.font.display, lab.title) <= room ? t.font.display : t.font.title;
  text(font, t.color.text, lab.title, true, room);
  const float below = ImGui::GetCursorPosY();
  ImGui::SetCursorPos(ImVec2(acts, top));
  draw_acts(model, commands);
  ImGui::SetCursorPosY(std::max(below, ImGui::GetCursorPosY()));
  if (narrow_window() && ImGui::GetMainViewport()->Size.y < t.px(600)) return;
  text(t.font.body, t.color.soft, lab.summary, true);
}

}  // namespace klab::ui
