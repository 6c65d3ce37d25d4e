// Notice: a sentence at the lower edge that goes away by itself.
#include <algorithm>

#include "ui/look/widgets.hpp"
#include "ui/pages/panels.hpp"

namespace klab::ui {

void draw_notice(const Model& model, Commands& commands) {
  if (!model.window.notice) return;
  const Theme& t = theme();
  const ImVec2 screen = ImGui::GetMainViewport()->Size;
  const float room = std::min(screen.x - t.px(48), t.px(720));
  const float width = std::min(text_width(t.font.body, model.window.notice->text) + t.px(42), room);
  const float height =
      text_height(t.font.body, model.window.notice->text, width - t.px(40)) + t.px(28);
  ImGui::SetNextWindowPos(ImVec2((screen.x - width) / 2, screen.y - height - t.px(24)));
  ImGui::SetNextWindowSize(ImVec2(width, height));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(t.px(20), t.px(14)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, t.px(10));
  const bool bad = model.window.notice->tone == Outcome::fail;
  ImGui::PushStyleColor(ImGuiCol_WindowBg, bad ? t.color.bad_soft : t.color.text);
  ImGui::Begin("notice", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                   ImGuiWindowFlags_NoNav);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  text(t.font.body, bad ? t.color.bad : t.color.surface, model.window.notice->text, true);
  if (ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0))
    commands.push_back(command::DismissNotice{});
  ImGui::End();
}

}  // namespace klab::ui
