// InvestigationFrame: invitation, progress, errors, provenance.
#include "ui/pages/investigation_frame.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/text.hpp"
#include "core/journal/report.hpp"
#include "core/measure/format.hpp"
#include "ui/look/widgets.hpp"
#include "ui/text/markdown.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

bool running_here(const Model& model, InvestigationKind kind) {
  return model.investigations.running && model.investigations.running->kind == kind &&
         model.lab() && model.investigations.running->lab == model.lab()->id;
}

void draw_running(const Model& model, Commands& commands) {
  const InvestigationRun& run = *model.investigations.running;
  const Card card("running");
  draw_under_way(run.text, model.now_s - run.began_s, run.canceling, commands);
}

/// What this machine cannot do, as opposed to what went wrong.
bool is_limit_of_machine(ErrorCode code) {
  return code == ErrorCode::unsupported || code == ErrorCode::no_device ||
         code == ErrorCode::profiler_denied || code == ErrorCode::profiler_unsupported;
}

void draw_errors(const Investigation& found) {
  const Theme& t = theme();
  for (std::size_t i = 0; i < found.errors.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    {
      const Card card("error");
      const bool lacking = is_limit_of_machine(found.errors[i].code);
      text(t.font.strong, lacking ? t.color.unsure : t.color.bad, found.errors[i].what, true);
      draw_prose(window_words(found.errors[i].remedy), t.color.text);
    }
    ImGui::PopID();
    gap(10);
  }
}

void draw_invitation(const Model& model, Commands& commands, InvestigationKind kind,
                     const InvestigationWords& words) {
  const Theme& t = theme();
  const Card card("invitation");
  text(t.font.title, t.color.text, words.title);
  text(t.font.body, t.color.soft, words.what, true);
  if (!model.replaying.empty())
    return text(t.font.body, t.color.unsure,
                "This recording holds none. Open the workbench without it to measure here.", true);
  gap(8);
  if (button("begin", words.button,
             {.kind = ButtonKind::primary, .icon = Icon::play, .enabled = !model.running()}))
    commands.push_back(command::Investigate{kind});
}

void draw_provenance(const Model& model, Commands& commands, const Investigation& found) {
  const Theme& t = theme();
  std::string words = found.device.name;
  if (!found.device.driver.empty()) words += ", driver " + found.device.driver;
  if (!found.date.empty()) words += ", " + short_date(found.date) + " UTC";
  if (!model.replaying.empty()) words = "recorded: " + words;
  // What a recording holds is all there is: it cannot be measured again.
  if (!model.replaying.empty()) return text(t.font.small, t.color.faint, words, true);
  const ImVec2 again = button_size("Again", {.icon = Icon::play});
  const float top = ImGui::GetCursorPosY();
  const float room = ImGui::GetContentRegionAvail().x - again.x - t.px(16);
  const float height = text_height(t.font.small, words, room);
  // On the middle of the button.
  ImGui::SetCursorPosY(top + std::max(0.0f, (again.y - height) / 2));
  text(t.font.small, t.color.faint, words, true, room);
  const float below = ImGui::GetCursorPosY();
  ImGui::SetCursorPos(ImVec2(ImGui::GetContentRegionMax().x - again.x, top));
  if (button("again", "Again", {.icon = Icon::play, .enabled = !model.running()}))
    commands.push_back(command::Investigate{found.kind});
  ImGui::SetCursorPosY(std::max(below, ImGui::GetCursorPosY()));
}

}  // namespace

void draw_under_way(const std::string& words, double seconds, bool canceling, Commands& commands) {
  const Theme& t = theme();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_icon(*ImGui::GetWindowDrawList(), Icon::spinner,
            ImVec2(at.x + t.px(8), at.y + t.font.strong->FontSize / 2), t.px(14), t.color.accent);
  ImGui::Indent(t.px(26));
  text(t.font.strong, t.color.text,
       canceling       ? "Stopping"
       : words.empty() ? "Starting"
                       : printable(words),
       true);
  text(t.font.small, t.color.faint, format_seconds(std::floor(seconds)));
  ImGui::Unindent(t.px(26));
  gap(4);
  if (button("stop", "Stop", {.icon = Icon::stop, .key = "Esc", .enabled = !canceling}))
    commands.push_back(command::StopCheck{});
}

const Investigation* investigation_frame(const Model& model, Commands& commands,
                                         InvestigationKind kind, const InvestigationWords& words) {
  gap(10);
  const Investigation* found = model.investigation(kind);
  const bool running = running_here(model, kind);
  if (running) {
    draw_running(model, commands);
    gap(10);
  }
  if (!found) {
    if (!running) draw_invitation(model, commands, kind, words);
    return nullptr;
  }
  if (!running) draw_provenance(model, commands, *found);
  gap(6);
  draw_errors(*found);
  return std::holds_alternative<std::monostate>(found->found) ? nullptr : found;
}

}  // namespace klab::ui
