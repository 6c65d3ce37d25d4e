// Progress: the phases of the running check with their times.
#include <cmath>

#include "core/measure/format.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/panels.hpp"
#include "ui/words/typeset.hpp"

namespace klab::ui {
namespace {

/// A build that takes no time was made before from the same source.
std::string took_words(const PhaseProgress& phase, double seconds) {
  const double shown_s = std::round(seconds * 100) / 100;
  if (shown_s == 0 && phase.phase == CheckPhase(OwnPhase::build)) return "built before";
  return typeset(format_seconds(shown_s));
}

void draw_phase(const PhaseProgress& phase, double since_s) {
  const Theme& t = theme();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = t.px(28);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool running = phase.state == PhaseProgress::State::running;
  const bool done = phase.state == PhaseProgress::State::done;
  const ImU32 ink = running ? t.color.text : done ? t.color.soft : t.color.faint;
  draw_icon(list,
            running ? Icon::spinner
            : done  ? Icon::dot
                    : Icon::ring,
            ImVec2(at.x + t.px(8), at.y + height / 2), t.px(14),
            running ? t.color.accent : t.color.faint);
  const float top = at.y + (height - t.font.body->FontSize) / 2;
  draw_text(list, running ? t.font.strong : t.font.body, ImVec2(at.x + t.px(26), top), ink,
            phase.title);
  const std::string words = running ? phase_words(phase) : "";
  draw_text(list, t.font.small, ImVec2(at.x + t.px(160), top + t.px(1)), t.color.soft,
            cut(t.font.small, words, width - t.px(160 + 64)));
  const double seconds = phase.took_s ? *phase.took_s : running ? since_s - phase.began_s : NAN;
  if (std::isfinite(seconds)) {
    const std::string took = took_words(phase, seconds);
    draw_text(list, t.font.small,
              ImVec2(at.x + width - text_width(t.font.small, took), top + t.px(1)), ink, took);
  }
  ImGui::Dummy(ImVec2(width, height - ImGui::GetStyle().ItemSpacing.y));
}

}  // namespace

void draw_progress(const Model& model, Commands&) {
  const Run& run = *model.run();
  const Card card("progress");
  for (const PhaseProgress& phase : run.phases) draw_phase(phase, model.now_s - run.began_s);
}

}  // namespace klab::ui
