// What is known of the chosen entry, or of two of them side by side.
#include <algorithm>

#include "core/journal/report.hpp"
#include "core/measure/format.hpp"
#include "ui/look/widgets.hpp"
#include "ui/model/gate_words.hpp"
#include "ui/pages/journal_parts.hpp"
#include "ui/text/code_view.hpp"

namespace klab::ui {
namespace {

constexpr float most_code_lines = 22;

void draw_restore(const Model& model, const JournalEntry& entry, const std::string& label,
                  Commands& commands) {
  if (!entry.source) return;
  const bool allowed = model.replaying.empty() && !model.checking();
  if (button(("restore" + std::to_string(entry.number)).c_str(), label, {.enabled = allowed}))
    commands.push_back(command::RestoreEntry{entry.number});
  tooltip("Makes this your kernel again. What you have now is kept in the workbook.");
}

/// Two sources facing each other in a region of bounded height; only the second without a first.
void draw_change(const ComparedCode& before, const ComparedCode& after) {
  const Theme& t = theme();
  const auto lines =
      static_cast<float>(std::max(std::count(before.text.begin(), before.text.end(), '\n'),
                                  std::count(after.text.begin(), after.text.end(), '\n')) +
                         3);
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, t.px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 1);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild("change",
                    ImVec2(0, std::min(lines, most_code_lines) * code_line_height() + t.px(16)),
                    ImGuiChildFlags_Border, ImGuiWindowFlags_NavFlattened);
  ImGui::PopStyleVar(3);
  const ComparedCode sides[] = {before, after};
  if (before.text.empty())
    code_view("source", after.text);
  else
    code_comparison("sides", sides);
  ImGui::EndChild();
}

void draw_heading(const JournalPage& journal, const JournalEntry& entry) {
  const Theme& t = theme();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (entry.verdict) {
    draw_verdict_icon(*ImGui::GetWindowDrawList(), *entry.verdict,
                      passes_provisionally(entry.gates),
                      ImVec2(at.x + t.px(8), at.y + t.font.title->FontSize / 2), t.px(15));
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + t.px(24));
  }
  text(t.font.title, t.color.text, journal.title_of(entry), true);
  std::string where =
      "Entry " + std::to_string(entry.number) + ", " + short_date(entry.date) + ", " + entry.lab;
  if (!entry.device.empty()) where += ", " + entry.device;
  text(t.font.small, t.color.faint, where, true);
}

/// Rows of cells; the first column is as wide as is left of a comfortable width.
struct NumberTable {
  float value_width;

  void row(const std::string& name, const std::vector<std::pair<std::string, ImU32>>& cells,
           ImFont* font) const {
    const Theme& t = theme();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = std::min(ImGui::GetContentRegionAvail().x, t.px(640));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float first = width - value_width * static_cast<float>(cells.size());
    float height =
        draw_wrapped(&list, t.font.small, at, t.color.soft, name, first - t.px(10)) + t.px(3);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const ImVec2 place(at.x + first + value_width * static_cast<float>(i), at.y);
      height = std::max(height, draw_wrapped(&list, font, place, cells[i].second, cells[i].first,
                                             value_width - t.px(8)) +
                                    t.px(3));
    }
    ImGui::Dummy(ImVec2(width, height));
  }
};

void draw_numbers(const JournalEntry& entry) {
  const Theme& t = theme();
  const auto rows = gate_rows(entry);
  if (rows.empty()) return;
  const NumberTable table{t.px(116)};
  gap(6);
  table.row("", {{"value", t.color.faint}, {"wanted", t.color.faint}, {"label", t.color.faint}},
            t.font.label);
  for (const GateRow& row : rows)
    table.row(
        row.name,
        {{row.value.empty() ? std::string(to_string(row.outcome)) : row.value, t.of(row.outcome)},
         {row.target, t.color.soft},
         {row.label, t.color.faint}},
        t.font.small);
}

/// The value of the same gate in another attempt, as it is shown.
std::pair<std::string, ImU32> cell_of(const std::vector<GateRow>& rows, const std::string& name) {
  const Theme& t = theme();
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const GateRow& row) { return row.name == name; });
  if (found == rows.end()) return {std::string(missing_text), t.color.faint};
  return {found->value.empty() ? std::string(to_string(found->outcome)) : found->value,
          t.of(found->outcome)};
}

void draw_one(const Model& model, const JournalEntry& entry, Commands& commands) {
  const Theme& t = theme();
  draw_heading(model.journal, entry);
  if (entry.kind == JournalEntry::Kind::note) text(t.font.body, t.color.text, entry.text, true);
  if (entry.kind != JournalEntry::Kind::attempt) return;
  text(t.font.body, t.color.text, entry.conclusion, true);
  if (entry.ratio)
    text(t.font.strong, t.color.text, "Flawed over mine: " + format_ratio(entry.ratio), true);
  if (const std::string ladder = ladder_words(entry); !ladder.empty())
    text(t.font.body, t.color.text, ladder, true);
  gap(4);
  draw_restore(model, entry, "Restore this attempt", commands);
  draw_numbers(entry);
  if (!entry.source) return;
  const JournalEntry* before = model.journal.attempt_before(entry);
  gap(8);
  text(t.font.strong, t.color.text,
       !before                            ? "Its source"
       : *before->source == *entry.source ? "The source did not change since the attempt before"
                                          : "What changed since the attempt before");
  draw_change({.title = "The attempt before",
               .text = before ? std::string_view(*before->source) : std::string_view(),
               .tint = t.color.accent_soft},
              {.title = "This attempt", .text = *entry.source, .tint = t.color.good_soft});
}

void draw_two(const Model& model, const JournalEntry& first, const JournalEntry& second,
              Commands& commands) {
  const Theme& t = theme();
  const std::string titles[] = {model.journal.title_of(first), model.journal.title_of(second)};
  text_cut(t.font.title, t.color.text, titles[0] + " beside " + titles[1],
           ImGui::GetContentRegionAvail().x);
  gap(4);
  draw_restore(model, first, "Restore " + titles[0], commands);
  if (first.source && second.source) ImGui::SameLine(0, t.px(8));
  draw_restore(model, second, "Restore " + titles[1], commands);
  gap(4);
  const NumberTable table{t.px(146)};
  table.row("", {{titles[0], t.color.text}, {titles[1], t.color.text}}, t.font.label);
  table.row("entry, date",
            {{std::to_string(first.number) + ", " + short_date(first.date), t.color.soft},
             {std::to_string(second.number) + ", " + short_date(second.date), t.color.soft}},
            t.font.small);
  const auto verdict = [&](const JournalEntry& entry) -> std::pair<std::string, ImU32> {
    if (!entry.verdict) return {std::string(missing_text), t.color.faint};
    return {verdict_title(*entry.verdict, entry.gates),
            passes_provisionally(entry.gates) ? t.color.good : t.of(*entry.verdict)};
  };
  table.row("verdict", {verdict(first), verdict(second)}, t.font.small);
  const auto ratio = [&](const JournalEntry& entry) {
    return std::pair(entry.ratio ? format_ratio(entry.ratio->median) : std::string(missing_text),
                     t.color.text);
  };
  table.row("flawed over mine", {ratio(first), ratio(second)}, t.font.small);
  const auto left = gate_rows(first), right = gate_rows(second);
  for (const GateRow& row : left)
    table.row(row.name, {cell_of(left, row.name), cell_of(right, row.name)}, t.font.small);
  for (const GateRow& row : right)
    if (std::none_of(left.begin(), left.end(),
                     [&](const GateRow& other) { return other.name == row.name; }))
      table.row(row.name, {cell_of(left, row.name), cell_of(right, row.name)}, t.font.small);
  gap(8);
  if (first.source && second.source)
    draw_change({.title = titles[0], .text = *first.source, .tint = t.color.accent_soft},
                {.title = titles[1], .text = *second.source, .tint = t.color.good_soft});
  else
    text(t.font.small, t.color.soft, "Only attempts hold a source to compare.", true);
}

}  // namespace

void draw_journal_details(const Model& model, Commands& commands) {
  const JournalPage& journal = model.journal;
  std::vector<const JournalEntry*> chosen;
  for (const std::int64_t number : journal.chosen)
    if (const JournalEntry* entry = journal.entry(number)) chosen.push_back(entry);
  std::sort(chosen.begin(), chosen.end());  // older first: they lie in one vector
  if (journal.undo) {
    gap(4);
    if (button("undo", "Undo the restore", {.enabled = !model.checking()}))
      commands.push_back(command::UndoRestore{});
  }
  if (chosen.empty()) return;
  gap(8);
  const Card card("details");
  if (chosen.size() == 1)
    draw_one(model, *chosen[0], commands);
  else
    draw_two(model, *chosen[0], *chosen[1], commands);
}

}  // namespace klab::ui
