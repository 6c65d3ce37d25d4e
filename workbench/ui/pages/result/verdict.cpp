// Verdict: the five gates in words, always in sight.
#include <cmath>

#include "core/base/text.hpp"
#include "core/journal/report.hpp"
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

/// As many whole words as fit; the tooltip of the cell has all of them.
std::string by_words(ImFont* font, std::string words, float room) {
  while (text_width(font, words) > room && words.find(' ') != std::string::npos)
    words.resize(words.rfind(' '));
  return words;
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
  const float head = compact ? at.y + size.y / 2 : at.y + t.px(18);
  const float room = end.x - t.px(6) - x;
  draw_icon(list, icon_of(words), ImVec2(x + t.px(6), head), t.px(13), color_of(words));
  draw_text(list, t.font.label, ImVec2(x + t.px(20), head - t.font.label->FontSize / 2),
            judged ? color_of(words) : t.color.soft,
            by_words(t.font.label, words.name, room - t.px(20)));
  if (compact) return;
  const bool one_line = words.target.empty();
  ImFont* font = text_width(t.font.strong, words.value) <= room ? t.font.strong : t.font.small;
  draw_text(list, font, ImVec2(x, at.y + t.px(one_line ? 38 : 33)),
            judged ? t.color.text : t.color.soft, by_words(font, words.value, room));
  draw_text(list, t.font.small, ImVec2(x, at.y + t.px(53)), t.color.soft,
            by_words(t.font.small, words.target, room));
}

/// "Passed: right and fast." beside the title "Passed" reads "Right and fast."
std::string without_title(std::string conclusion, const std::string& title) {
  if (conclusion.starts_with(title + ": ")) {
    conclusion = capitalized(conclusion.substr(title.size() + 2));
  }
  return conclusion == title ? std::string() : conclusion;
}

void draw_running(const Model& model, const Run& run) {
  const Theme& t = theme();
  const PhaseProgress* phase = running_phase(run);
  std::string words = "Preparing";
  if (run.canceling)
    words = "Stopping";
  else if (!run.waiting_for.empty())
    words = run.waiting_for;
  else if (phase)
    words = phase_words(*phase);
  else if (!run.note.empty())
    words = run.note;
  words += "  " + typeset(format_seconds(std::floor((model.now_s - run.began_s) * 10) / 10));
  text(t.font.strong, t.color.accent, words, true);
}

/// The verdict in a word or two, where it came from unless it was measured just now, and why.
void draw_judged(Outcome verdict, const std::vector<Gate>& gates, const std::string& title,
                 const std::string& origin, const std::string& conclusion) {
  const Theme& t = theme();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = t.font.strong->FontSize, right = ImGui::GetContentRegionMax().x;
  const bool provisional = passes_provisionally(gates);
  draw_verdict_icon(*ImGui::GetWindowDrawList(), verdict, provisional,
                    ImVec2(at.x + t.px(7), at.y + line / 2), t.px(15));
  const float left = ImGui::GetCursorPosX() + t.px(24);
  ImGui::SetCursorPosX(left);
  text(t.font.strong, provisional ? t.color.good : t.of(verdict), title);
  const auto beside = [&](float width) {
    ImGui::SameLine(0, t.px(10));
    if (ImGui::GetCursorPosX() + width <= right) return;
    ImGui::NewLine();
    ImGui::SetCursorPosX(left);
  };
  if (!origin.empty()) {
    beside(text_width(t.font.label, origin) + t.px(14));
    // On the middle of the line, which is lower than a tag.
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + (line - t.px(20)) / 2);
    tag(origin, t.color.unsure, t.color.unsure_soft);
  }
  const std::string rest = without_title(conclusion, title);
  if (rest.empty()) return;
  beside(text_width(t.font.body, rest));
  text(t.font.body, t.color.text, rest, true);
}

/// In every window, however little room for sentences it has.
constexpr const char* changed_since = "before your last change";

/// "last check, 2026-11-21 12:00 UTC, NVIDIA H200"; `changed`: the kernel is another one now.
std::string origin_of(const JournalEntry& entry, bool changed) {
  std::string words =
      std::string(changed ? changed_since : "last check") + ", " + short_date(entry.date) + " UTC";
  if (!entry.device.empty()) words += ", " + entry.device;
  return words;
}

/// `compact`: an earlier check is told by its verdict and date alone.
void draw_conclusion(const Model& model, bool compact) {
  const bool changed = model.changed_since_check();
  if (const Run* run = model.run()) {
    if (run->active) return draw_running(model, *run);
    if (run->result)
      draw_judged(run->result->verdict, run->result->gates, verdict_title(*run->result),
                  !model.replaying.empty() ? "recorded"
                  : changed                ? changed_since
                                           : "",
                  run->result->conclusion);
  } else if (const JournalEntry* last = model.last_attempt(); last && last->verdict) {
    draw_judged(*last->verdict, last->gates, verdict_title(*last->verdict, last->gates),
                origin_of(*last, changed), compact ? "" : last->conclusion);
  }
}

}  // namespace

void draw_verdict(const Model& model, Commands& commands, bool compact) {
  if (!model.lab()) return;
  const Theme& t = theme();
  gap(compact ? 2 : 8);
  draw_conclusion(model, compact);
  const JournalEntry* last = model.run() ? nullptr : model.last_attempt();
  std::vector<GateWords> cells = last ? gate_words(last->gates) : gate_words(model.run());
  if (last && last->gates.empty())  // of a journal from before gates were kept
    for (GateWords& cell : cells) cell.value = "not kept";
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
