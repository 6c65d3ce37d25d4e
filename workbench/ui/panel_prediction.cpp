// Prediction: what the learner expects, asked before the first run.
#include <algorithm>

#include "ui/markdown.hpp"
#include "ui/panels.hpp"
#include "ui/widgets.hpp"

namespace klab::ui {
namespace {

bool draw_choice(const char* id, const std::string& label, bool chosen, float width) {
  const Theme& t = theme();
  const float room = width - t.px(56);
  const float height = text_height(t.font.body, label, room) + t.px(20);
  const ImVec2 at = ImGui::GetCursorScreenPos(), end(at.x + width, at.y + height);
  const bool clicked = area(id, ImVec2(width, height));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, end, chosen ? t.color.accent_soft : t.color.surface, t.px(8));
  list.AddRect(at, end, chosen || item_hot() ? t.color.accent : t.color.line, t.px(8), 0,
               chosen ? t.px(1.5f) : 1.0f);
  const ImVec2 mark(at.x + t.px(22), at.y + height / 2);
  list.AddCircle(mark, t.px(7), chosen ? t.color.accent : t.color.faint, 24, t.px(1.5f));
  if (chosen) list.AddCircleFilled(mark, t.px(3.8f), t.color.accent, 20);
  draw_wrapped(&list, t.font.body, ImVec2(at.x + t.px(42), at.y + t.px(10)), t.color.text, label,
               room);
  return clicked;
}

}  // namespace

void draw_prediction(const Model& model, Commands& commands) {
  const Theme& t = theme();
  const Lab& lab = *model.lab();
  const auto& answers = model.page.prediction.answers;
  const float width = std::min(ImGui::GetContentRegionAvail().x, t.px(720));
  gap(14);
  text(t.font.title, t.color.text, "Before you run it: what do you expect?");
  text(t.font.body, t.color.soft,
       "A guess you can be wrong about is what makes the measurement stick. Your journal shows how "
       "well your guesses hold over time; nothing else depends on them.",
       true);
  for (std::size_t q = 0; q < lab.predictions.size() && q < answers.size(); ++q) {
    gap(18);
    ImGui::PushID(static_cast<int>(q));
    draw_markdown(parse_markdown(lab.predictions[q].question), width);
    gap(2);
    for (std::size_t c = 0; c < lab.predictions[q].choices.size(); ++c) {
      ImGui::PushID(static_cast<int>(c));
      if (draw_choice("choice", lab.predictions[q].choices[c], answers[q] == static_cast<int>(c),
                      width))
        commands.push_back(command::AnswerPrediction{q, static_cast<int>(c)});
      ImGui::PopID();
    }
    ImGui::PopID();
  }
  gap(20);
  const bool complete = std::all_of(answers.begin(), answers.end(),
                                    [](const auto& answer) { return answer.has_value(); });
  if (button("settle", "Check my kernel",
             {.kind = ButtonKind::primary, .icon = Icon::play, .key = "F5", .enabled = complete}))
    commands.push_back(command::SettlePrediction{false});
  ImGui::SameLine(0, t.px(10));
  if (button("skip", "Skip and check", {.kind = ButtonKind::quiet}))
    commands.push_back(command::SettlePrediction{true});
  ImGui::SameLine(0, t.px(4));
  if (button("back", "Not yet", {.kind = ButtonKind::quiet, .key = "Esc"}))
    commands.push_back(command::CancelPrediction{});
  gap(24);
}

}  // namespace klab::ui
