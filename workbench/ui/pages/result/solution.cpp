// Solution: what opens with a pass or by giving up, and where to go from there.
#include <optional>
#include <vector>

#include "ui/look/widgets.hpp"
#include "ui/pages/panels.hpp"

namespace klab::ui {
namespace {

std::optional<std::size_t> next_lab(const Model& model) {
  std::vector<LabStatus> course;
  for (const LabEntry& entry : model.labs) course.push_back(entry.progress.status);
  return next_open(course, model.current);
}

}  // namespace

void draw_next_steps(const Model& model, Commands& commands) {
  const Theme& t = theme();
  if (!model.entry()->progress.solution_open()) return;
  gap(6);
  if (button("why", "Why it works", {.kind = ButtonKind::primary}))
    commands.push_back(command::ShowExplanation{});
  if (model.can_compare_code()) {
    ImGui::SameLine(0, t.px(8));
    if (button("beside", "Mine beside the solution", {})) {
      commands.push_back(command::ShowPage{Page::code});
      commands.push_back(command::ShowCode{CodeChoice::side_by_side});
    }
  }
  const auto next = model.replaying.empty() ? next_lab(model) : std::nullopt;
  if (!next) return;
  const std::string label = "Next: " + model.labs[*next].lab.title;
  if (ImGui::GetItemRectMax().x + t.px(8) + button_size(label, {}).x <
      ImGui::GetWindowPos().x + ImGui::GetContentRegionMax().x)
    ImGui::SameLine(0, t.px(8));
  if (button("next lab", label, {.kind = ButtonKind::quiet}))
    commands.push_back(command::OpenLab{*next});
}

void draw_give_up(const Model& model, Commands& commands) {
  const Theme& t = theme();
  if (model.entry()->progress.solution_open() || !model.replaying.empty()) return;
  gap(6);
  if (!model.page.confirming_solution) {
    if (button("give up", "Show me the solution", {}))
      commands.push_back(command::GiveUp{.sure = false});
    return;
  }
  text(t.font.body, t.color.text,
       "See the solution before your kernel passes? Your journal will say so; you can still pass "
       "with a kernel of your own.",
       true);
  if (button("show", "Show it", {})) commands.push_back(command::GiveUp{.sure = true});
  ImGui::SameLine(0, t.px(8));
  if (button("keep trying", "Keep trying", {.kind = ButtonKind::quiet}))
    commands.push_back(command::KeepTrying{});
}

}  // namespace klab::ui
