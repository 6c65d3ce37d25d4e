// Answers: what was predicted beside what it was, and after a pass what limits the kernel next.
#include "core/check/limit.hpp"
#include "core/journal/calibration.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/panels.hpp"

namespace klab::ui {
namespace {

/// A faint head and the words below it.
void draw_said(const char* head, ImU32 color, const std::string& words) {
  const Theme& t = theme();
  text(t.font.label, t.color.faint, head);
  text(t.font.body, color, words, true);
}

void draw_answer(const ScoredPrediction& scored) {
  const Theme& t = theme();
  const auto choice = [&](int index) {
    return scored.question.choices[static_cast<std::size_t>(index)];
  };
  gap(10);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_icon(*ImGui::GetWindowDrawList(),
            !scored.right   ? Icon::ring
            : *scored.right ? Icon::pass
                            : Icon::off,
            ImVec2(at.x + t.px(8), at.y + t.px(9)), t.px(13),
            scored.right.value_or(false) ? t.color.good : t.color.faint);
  ImGui::Indent(t.px(24));
  text(t.font.body, t.color.text, scored.question.question, true);
  gap(4);
  // Side by side where there is room, below each other where there is not.
  const float width = ImGui::GetContentRegionAvail().x;
  const bool wide = width > t.px(420);
  if (ImGui::BeginTable("said", wide ? 2 : 1, ImGuiTableFlags_SizingStretchSame)) {
    ImGui::TableNextColumn();
    draw_said("You predicted", t.color.text, choice(scored.choice));
    ImGui::TableNextColumn();
    if (!scored.right)
      draw_said("It was", t.color.soft, "Known once your kernel passes.");
    else if (const auto truth = scored.truth())
      draw_said("It was", *scored.right ? t.color.good : t.color.text,
                *scored.right ? "Just that" : choice(*truth));
    else
      draw_said("It was", t.color.text, "None of these");
    ImGui::EndTable();
  }
  if (const std::string ratio = ratio_words(scored); !ratio.empty())
    text(t.font.small, t.color.soft, ratio + ".", true);
  if (scored.right) text(t.font.small, t.color.soft, scored.question.because, true);
  ImGui::Unindent(t.px(24));
}

}  // namespace

void draw_answers(const Model& model) {
  const Theme& t = theme();
  const PredictionState& prediction = model.page.prediction;
  const auto& questions = model.lab()->predictions;
  const CheckResult& result = *model.run()->result;
  if (!prediction.settled || prediction.skipped || questions.empty()) return;
  // Before anything was measured, an answer would only be given away.
  if (!settles_predictions(result.gates)) return;
  const auto passed = result.verdict == Outcome::pass ? result.timing.ratio : std::nullopt;
  gap(10);
  const Card card("answers");
  text(t.font.strong, t.color.text, "What you predicted, and what it was");
  for (std::size_t i = 0; i < questions.size() && i < prediction.answers.size(); ++i) {
    const auto& answer = prediction.answers[i];
    if (!answer || *answer < 0 || *answer >= static_cast<int>(questions[i].choices.size()))
      continue;
    ImGui::PushID(static_cast<int>(i));
    draw_answer(score_answer(questions[i], *answer, passed));
    ImGui::PopID();
  }
}

void draw_next_limit(const Model& model) {
  const Theme& t = theme();
  const CheckResult& result = *model.run()->result;
  const Card card("limit");
  text(t.font.strong, t.color.text, "What limits it next");
  const auto counters = result.counters.find(VariantName::mine);
  const auto limit = counters == result.counters.end()
                         ? std::nullopt
                         : what_limits(counters->second, result.gates);
  if (!limit) {
    text(t.font.body, t.color.soft, "That takes a GPU's counters, which this check did not have.",
         true);
    return;
  }
  text(t.font.body, t.color.text, limit->words, true);
  if (!limit->next.empty()) text(t.font.body, t.color.soft, limit->next, true);
}

}  // namespace klab::ui
