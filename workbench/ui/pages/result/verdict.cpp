// Verdict: the five gates in words, always in sight.
#include <cmath>

#include "core/base/text.hpp"
#include "core/measure/format.hpp"
#include "ui/look/widgets.hpp"
#include "ui/model/gate_words.hpp"
#include "ui/pages/panels.hpp"
#include "ui/words/typeset.hpp"

namespace klab::ui {
namespace {

ImU32 color_of(const GateWords& words) {
  const Theme& t = theme();
  if (words.state == GateWords::State::judged) return t.of(words.outcome);
  return words.state == GateWords::State::running ? t.color.accent : t.color.faint;
}

Icon icon_of(const GateWords& words) {
  if (words.state == GateWords::State::judged) return klab::ui::icon_of(words.outcome);
  return words.state == GateWords::State::running ? Icon::spinner : Icon::ring;
}

void draw_cell(const GateWords& words, ImVec2 at, ImVec2 size, bool compact, Commands& commands) {
  const Theme& t = theme();
  ImGui::SetCursorScreenPos(at);
  if (area(words.name.c_str(), size)) commands.push_back(command::ShowPage{Page::result});
  const bool hot = item_hot();
  tooltip(words.more);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end(at.x + size.x, at.y + size.y);
  const bool judged = words.state == GateWords::State::judged;
  list.AddRectFilled(at, end, judged ? t.soft_of(words.outcome) : t.color.surface, t.px(8));
  if (!judged || hot) list.AddRect(at, end, hot ? color_of(words) : t.color.line, t.px(8));
  const float x = at.x + t.px(12);
  list.PushClipRect(at, ImVec2(end.x - t.px(6), end.y), true);
  const float head = compact ? at.y + size.y / 2 : at.y + t.px(18);
  draw_icon(list, icon_of(words), ImVec2(x + t.px(6), head), t.px(13), color_of(words));
  draw_text(list, t.font.label, ImVec2(x + t.px(20), head - t.font.label->FontSize / 2),
            judged ? color_of(words) : t.color.soft, words.name);
  if (!compact) {
    const bool one_line = words.target.empty();
    draw_text(list, t.font.strong, ImVec2(x, at.y + t.px(one_line ? 38 : 33)),
              judged ? t.color.text : t.color.soft, words.value);
    draw_text(list, t.font.small, ImVec2(x, at.y + t.px(53)), t.color.soft, words.target);
  }
  list.PopClipRect();
}

/// "Passed: right and fast." beside the title "Passed" reads "Right and fast."
std::string without_title(std::string conclusion, const std::string& title) {
  if (conclusion.starts_with(title + ": ")) {
    conclusion = capitalized(conclusion.substr(title.size() + 2));
  }
  return conclusion == title ? std::string() : conclusion;
}

void draw_conclusion(const Model& model) {
  const Theme& t = theme();
  const Run* run = model.run();
  const float width = ImGui::GetContentRegionAvail().x;
  if (!run) return;
  if (run->active) {
    const PhaseProgress* phase = running_phase(*run);
    std::string words = "Preparing";
    if (run->canceling)
      words = "Stopping";
    else if (!run->waiting_for.empty())
      words = run->waiting_for;
    else if (phase)
      words = phase_words(*phase);
    else if (!run->note.empty())
      words = run->note;
    words += "  " + typeset(format_seconds(std::floor((model.now_s - run->began_s) * 10) / 10));
    text_cut(t.font.strong, t.color.accent, words, width);
  } else if (run->result) {
    const CheckResult& result = *run->result;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float line = t.font.strong->FontSize;
    draw_icon(*ImGui::GetWindowDrawList(), klab::ui::icon_of(result.verdict),
              ImVec2(at.x + t.px(7), at.y + line / 2), t.px(15), t.of(result.verdict));
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + t.px(24));
    const std::string title = verdict_title(result);
    text(t.font.strong, t.of(result.verdict), title);
    const std::string rest = without_title(result.conclusion, title);
    if (!rest.empty()) {
      ImGui::SameLine(0, t.px(10));
      text_cut(t.font.body, t.color.text, rest, ImGui::GetContentRegionAvail().x);
    }
  }
}

}  // namespace

void draw_verdict(const Model& model, Commands& commands, bool compact) {
  if (!model.lab()) return;
  const Theme& t = theme();
  gap(compact ? 2 : 8);
  draw_conclusion(model);
  const std::vector<GateWords> cells = gate_words(model.run());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, space = t.px(8);
  const float each =
      (width - space * static_cast<float>(cells.size() - 1)) / static_cast<float>(cells.size());
  const float height = t.px(compact ? 32 : 78);
  ImGui::PushID("gates");
  for (std::size_t i = 0; i < cells.size(); ++i)
    draw_cell(cells[i], ImVec2(at.x + (each + space) * static_cast<float>(i), at.y),
              ImVec2(each, height), compact, commands);
  ImGui::PopID();
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(ImVec2(width, height));
}

}  // namespace klab::ui
