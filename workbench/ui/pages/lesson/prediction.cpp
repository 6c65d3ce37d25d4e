// Prediction: what the learner expects, asked before the first run.
#include <algorithm>
#include <optional>
#include <string>

#include "ui/look/widgets.hpp"
#include "ui/pages/panels.hpp"
#include "ui/text/markdown.hpp"

namespace klab::ui {
namespace {

/// A choice as a row to click; `key` answers it as well, where it is not empty.
bool draw_answer_choice(const char* id, const std::string& label, bool chosen,
                        const std::string& key, float width) {
  const Theme& t = theme();
  const float room = width - t.px(76);
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
  if (!key.empty())
    draw_text(list, t.font.label,
              ImVec2(end.x - t.px(14) - text_width(t.font.label, key),
                     mark.y - t.font.label->FontSize / 2),
              t.color.accent, key);
  return clicked;
}

/// "Question 2 of 3", and which keys answer it while it is the one that they answer.
void draw_question_head(std::size_t question, std::size_t all, std::size_t choices, bool current) {
  const Theme& t = theme();
  text(t.font.label, current ? t.color.accent : t.color.faint,
       "Question " + std::to_string(question + 1) + " of " + std::to_string(all));
  if (!current) return;
  ImGui::SameLine(0, t.px(10));
  std::string words = "Press 1 to " + std::to_string(choices) + ", or click.";
  if (question > 0) words += " Backspace takes the last answer back.";
  text(t.font.small, t.color.soft, words);
}

void draw_one_question(const Model& model, std::size_t question, bool current, float width,
                       Commands& commands) {
  const Theme& t = theme();
  const Prediction& asked = model.lab()->predictions[question];
  const std::optional<int> answer = model.page.prediction.answers[question];
  const float top = ImGui::GetCursorScreenPos().y;
  draw_question_head(question, model.lab()->predictions.size(), asked.choices.size(), current);
  draw_markdown(markdown::parse(asked.question), width);
  gap(2);
  for (std::size_t c = 0; c < asked.choices.size(); ++c) {
    ImGui::PushID(static_cast<int>(c));
    if (draw_answer_choice("choice", asked.choices[c], answer == static_cast<int>(c),
                           current ? std::to_string(c + 1) : std::string(), width))
      commands.push_back(command::AnswerPrediction{question, static_cast<int>(c)});
    ImGui::PopID();
  }
  if (!current) return;
  const float x = ImGui::GetCursorScreenPos().x - t.px(14);
  ImGui::GetWindowDrawList()->AddRectFilled(
      ImVec2(x, top), ImVec2(x + t.px(3), ImGui::GetCursorScreenPos().y - t.px(8)), t.color.accent,
      t.px(1.5f));
}

/// Brings what begins at `top` (in the window) and ends at the cursor into sight, once `step`
/// changed: an answer leads on to the next question, and the last one to the button.
void follow_answers(std::size_t step, float top) {
  if (!once_changed("step", static_cast<int>(step))) return;
  const float bottom = ImGui::GetCursorPosY() - ImGui::GetScrollY();
  const float edge = theme().px(12);
  if (top < edge)
    ImGui::SetScrollFromPosY(top - edge, 0);
  else if (bottom > ImGui::GetWindowHeight())
    ImGui::SetScrollFromPosY(bottom + edge, 1);
}

void draw_ways_on(std::size_t answered, std::size_t all, Commands& commands) {
  const Theme& t = theme();
  text(t.font.label, answered == all ? t.color.good : t.color.accent,
       std::to_string(answered) + " of " + std::to_string(all) + " answered");
  gap(2);
  if (button("settle", "Check my kernel",
             {.kind = ButtonKind::primary,
              .icon = Icon::play,
              .key = "F5",
              .enabled = answered == all}))
    commands.push_back(command::SettlePrediction{false});
  ImGui::SameLine(0, t.px(10));
  if (button("skip", "Skip and check", {.kind = ButtonKind::quiet}))
    commands.push_back(command::SettlePrediction{true});
  ImGui::SameLine(0, t.px(4));
  if (button("back", "Not yet", {.kind = ButtonKind::quiet, .key = "Esc"}))
    commands.push_back(command::CancelPrediction{});
}

}  // namespace

void draw_prediction(const Model& model, Commands& commands) {
  const Theme& t = theme();
  const PredictionState& prediction = model.page.prediction;
  const std::size_t all = prediction.answers.size(), current = prediction.open_question();
  const float width = std::min(ImGui::GetContentRegionAvail().x, t.px(720));
  if (ImGui::IsWindowAppearing()) ImGui::SetScrollY(0);
  gap(14);
  text(t.font.title, t.color.text, "Before you run it: what do you expect?");
  text(t.font.body, t.color.soft,
       "A guess you can be wrong about is what makes the measurement stick. Your journal shows how "
       "well your guesses hold over time; nothing else depends on them.",
       true);
  for (std::size_t q = 0; q < all; ++q) {
    gap(18);
    const float top = ImGui::GetCursorPosY() - ImGui::GetScrollY();
    ImGui::PushID(static_cast<int>(q));
    draw_one_question(model, q, q == current, width, commands);
    ImGui::PopID();
    if (q == current) follow_answers(current, top);
  }
  gap(20);
  const float top = ImGui::GetCursorPosY() - ImGui::GetScrollY();
  draw_ways_on(prediction.answered(), all, commands);
  gap(24);
  if (current == all) follow_answers(current, top);
}

}  // namespace klab::ui
