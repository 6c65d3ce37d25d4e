// Code, message: one message of the compiler in full, below the code.
#include <algorithm>

#include "ui/look/widgets.hpp"
#include "ui/pages/code/parts.hpp"

namespace klab::ui {
namespace {

constexpr float padding = 6;

}  // namespace

const CompilerMessage* message_told(const Model& model, std::span<const CompilerMessage> messages) {
  const int caret = model.page.document.line();
  const auto here = std::find_if(messages.begin(), messages.end(),
                                 [&](const auto& message) { return message.line == caret; });
  if (here != messages.end()) return &*here;
  return first_error(messages);
}

float message_height(const CompilerMessage& message, float width) {
  const Theme& t = theme();
  return text_height(t.font.small, at_its_line(message), width) + t.px(2 * padding);
}

void draw_message(const Model& model, const CompilerMessage& message, Commands& commands) {
  const Theme& t = theme();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = message_height(message, width);
  if (area("message", ImVec2(width, height))) {
    CodeView view = model.page.state.view;
    view.reveal = message.line;
    commands.push_back(command::SetCodeView{std::move(view)});
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (item_hot())
    list.AddRectFilled(at, ImVec2(at.x + width, at.y + height), t.color.off_soft, t.px(6));
  draw_wrapped(&list, t.font.small, ImVec2(at.x, at.y + t.px(padding)),
               message.severity == Severity::error ? t.color.bad : t.color.unsure,
               at_its_line(message), width);
}

}  // namespace klab::ui
