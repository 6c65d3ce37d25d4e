// Ladder: how far a passed kernel came beyond the pass, and what the next goal asks.
#include "core/measure/format.hpp"
#include "ui/look/widgets.hpp"
#include "ui/model/gate_words.hpp"
#include "ui/pages/panels.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

/// "Share of Copy within device memory: 68.7 %, wanted ≥ 90 %"
std::string asked_words(const Gate& gate) {
  const std::string seen = seen_words(gate);
  return title_of_gate(gate) + ": " + (seen.empty() ? gate.detail : seen);
}

void draw_rung(const RungResult& rung, bool next) {
  const Theme& t = theme();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool reached = rung.outcome == Outcome::pass;
  draw_icon(*ImGui::GetWindowDrawList(), reached ? Icon::pass : Icon::ring,
            ImVec2(at.x + t.px(7), at.y + t.font.body->FontSize / 2), t.px(12),
            reached ? t.of(Outcome::pass)
            : next  ? t.color.accent
                    : t.color.faint);
  ImGui::Indent(t.px(22));
  text(t.font.body, reached || next ? t.color.text : t.color.faint, rung.name, true);
  if (next)
    for (const Gate& gate : rung.gates)
      if (gate.outcome != Outcome::pass) text(t.font.small, t.color.soft, asked_words(gate), true);
  ImGui::Unindent(t.px(22));
}

}  // namespace

void draw_ladder(const CheckResult& result) {
  const Theme& t = theme();
  if (!result.score && result.rungs.size() < 2) return;
  {
    const Card card("ladder");
    text(t.font.strong, t.color.text,
         result.score ? "Score " + format_score(result.score) : "Goals of this lab");
    if (result.score)
      tooltip("0 is the flawed kernel's time, 100 the least that this device needs for the task.");
    const RungResult* next = next_rung(result.rungs);
    for (const RungResult& rung : result.rungs) draw_rung(rung, &rung == next);
  }
  gap(10);
}

}  // namespace klab::ui
