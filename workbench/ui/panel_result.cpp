// Result: what the last check found, in the order in which a learner needs it.
#include "core/format.hpp"
#include "ui/panels.hpp"
#include "ui/widgets.hpp"

namespace klab::ui {
namespace {

void draw_nothing_yet(const Model& model, Commands& commands) {
  const Theme& t = theme();
  gap(16);
  const Card card("nothing");
  text(t.font.title, t.color.text, "Nothing measured yet");
  text(t.font.body, t.color.soft,
       "A check builds your kernel, compares its result with a reference in double precision, "
       "times it against the flawed one, and counts what the hardware did. Each of the five gates "
       "above then says what was seen and what was wanted.",
       true);
  gap(8);
  const bool started = model.entry()->progress.status != LabStatus::not_started;
  if (button("first", started ? "Check my kernel" : "Start this lab",
             {.kind = ButtonKind::primary,
              .icon = Icon::play,
              .key = "F5",
              .enabled = !model.running()})) {
    if (started)
      commands.push_back(command::RunCheck{});
    else
      commands.push_back(command::StartLab{});
  }
}

/// What was predicted beside what is so, once there is a result to compare with.
void draw_answers(const Model& model) {
  const Theme& t = theme();
  const PredictionState& prediction = model.page.prediction;
  const auto& questions = model.lab()->predictions;
  if (!prediction.settled || prediction.skipped || questions.empty()) return;
  gap(10);
  const Card card("answers");
  text(t.font.strong, t.color.text, "What you predicted");
  for (std::size_t i = 0; i < questions.size() && i < prediction.answers.size(); ++i) {
    const auto& answer = prediction.answers[i];
    const auto& choices = questions[i].choices;
    if (!answer || *answer < 0 || *answer >= static_cast<int>(choices.size())) continue;
    const bool right = *answer == questions[i].answer;
    gap(6);
    text(t.font.small, t.color.soft, questions[i].question, true);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_icon(*ImGui::GetWindowDrawList(), right ? Icon::pass : Icon::off,
              ImVec2(at.x + t.px(8), at.y + t.px(9)), t.px(13),
              right ? t.color.good : t.color.faint);
    ImGui::Indent(t.px(24));
    text(t.font.body, t.color.text, choices[static_cast<std::size_t>(*answer)], true);
    if (!right && questions[i].answer >= 0 &&
        questions[i].answer < static_cast<int>(choices.size()))
      text(t.font.body, t.color.soft,
           "It is: " + choices[static_cast<std::size_t>(questions[i].answer)], true);
    text(t.font.small, t.color.soft, questions[i].because, true);
    ImGui::Unindent(t.px(24));
  }
}

/// What is needed to repeat this: device, driver, seed, date.
void draw_fingerprint(const CheckResult& result) {
  const Theme& t = theme();
  std::string words = result.device.name;
  if (!result.device.driver.empty()) words += ", driver " + result.device.driver;
  if (!result.device.toolkit.empty()) words += ", CUDA " + result.device.toolkit;
  words += ", seed " + std::to_string(result.seed);
  if (!result.date.empty()) words += ", " + result.date;
  gap(14);
  text(t.font.small, t.color.faint, words, true);
}

}  // namespace

void draw_result(const Model& model, Commands& commands) {
  const Run* run = model.run();
  if (!run) return draw_nothing_yet(model, commands);
  gap(10);
  if (run->active) draw_progress(model, commands);
  if (run->result) {
    draw_problems(model, commands);
    draw_why(model, commands);
  }
  draw_times(model, commands);
  draw_counters(model, commands);
  if (!run->result) return;
  draw_answers(model);
  if (run->result->verdict != Outcome::pass) {
    gap(10);
    draw_hints(model, commands);
  }
  draw_fingerprint(*run->result);
}

}  // namespace klab::ui
