// Journal: every act on this lab, newest first.
#include <algorithm>

#include "core/format.hpp"
#include "ui/panels.hpp"
#include "ui/widgets.hpp"

namespace klab::ui {
namespace {

constexpr int most_shown_lines = 500;

/// "2026-11-21T02:40:00Z" as "2026-11-21 02:40".
std::string short_date(const std::string& date) {
  if (date.size() < 16) return date;
  return date.substr(0, 10) + " " + date.substr(11, 5);
}

std::string words_for(const JournalEntry& entry) {
  switch (entry.kind) {
    case JournalEntry::Kind::attempt:
      return entry.conclusion;
    case JournalEntry::Kind::started:
      return "Started the lab";
    case JournalEntry::Kind::reset:
      return "Put the flawed kernel back";
    case JournalEntry::Kind::hint:
      return "Read hint " + std::to_string(entry.hint.value_or(0));
    case JournalEntry::Kind::prediction:
      break;
    case JournalEntry::Kind::solution:
      return "Looked at the solution";
  }
  int answered = 0;
  for (const int answer : entry.answers) answered += answer >= 0;
  return answered ? "Predicted before the first run" : "Skipped the prediction";
}

void draw_line(const JournalEntry& entry) {
  const Theme& t = theme();
  const bool attempt = entry.kind == JournalEntry::Kind::attempt;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float date_width = t.px(150), ratio_width = t.px(76);
  const std::string words = words_for(entry);
  const float room = width - date_width - ratio_width - t.px(34);
  const float height =
      std::max(text_height(attempt ? t.font.body : t.font.small, words, room), t.px(16)) + t.px(16);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float top = at.y + t.px(8);
  draw_text(list, t.font.small, ImVec2(at.x, top + t.px(1)), t.color.faint, short_date(entry.date));
  if (attempt && entry.verdict)
    draw_icon(list, icon_of(*entry.verdict), ImVec2(at.x + date_width + t.px(6), top + t.px(8)),
              t.px(12), t.of(*entry.verdict));
  draw_wrapped(&list, attempt ? t.font.body : t.font.small,
               ImVec2(at.x + date_width + t.px(24), top), attempt ? t.color.text : t.color.soft,
               words, room);
  if (entry.ratio) {
    const std::string ratio = format_ratio(entry.ratio->median);
    draw_text(list, t.font.strong, ImVec2(at.x + width - text_width(t.font.strong, ratio), top),
              t.color.text, ratio);
  }
  list.AddLine(ImVec2(at.x, at.y + height), ImVec2(at.x + width, at.y + height), t.color.line);
  ImGui::Dummy(ImVec2(width, height - ImGui::GetStyle().ItemSpacing.y + 1));
  if (attempt)
    tooltip(entry.variant + " on " + (entry.device.empty() ? entry.backend : entry.device) +
            (entry.seed ? ", seed " + std::to_string(*entry.seed) : ""));
}

}  // namespace

void draw_journal(const Model& model, Commands&) {
  const Theme& t = theme();
  gap(10);
  const Card card("journal");
  if (model.page.journal.empty()) {
    text(t.font.title, t.color.text, "Nothing here yet");
    text(t.font.body, t.color.soft,
         "Every prediction, hint and check of this lab is kept here, with its numbers, so that you "
         "can see how you got there.",
         true);
    return;
  }
  int lines = 0;
  for (const JournalEntry& entry : model.page.journal) {
    if (++lines > most_shown_lines) break;
    draw_line(entry);
  }
}

}  // namespace klab::ui
