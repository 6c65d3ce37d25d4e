// Journal: every act, searchable; attempts side by side, restored, noted and exported.
#include <algorithm>

#include "ui/look/widgets.hpp"
#include "ui/pages/journal_parts.hpp"
#include "ui/pages/panels.hpp"
#include "ui/text/markdown.hpp"
#include "ui/text/text_field.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

struct VerdictChoice {
  const char* name;
  std::optional<Outcome> verdict;
};
const VerdictChoice verdict_choices[] = {{"Everything", {}},
                                         {"Passed", Outcome::pass},
                                         {"Failed", Outcome::fail},
                                         {"Inconclusive", Outcome::inconclusive},
                                         {"Not checkable", Outcome::not_checkable}};

/// A field over the rest of the line; true when its text changed.
bool draw_search(std::string& words, bool all_labs) {
  ImGui::PushStyleColor(ImGuiCol_FrameBg, theme().color.surface);
  const char* hint =
      all_labs ? "Search all labs: words, code, verdict" : "Search this lab: words, code, verdict";
  const bool changed = text_field("##search", words, {.hint = hint}).changed;
  ImGui::PopStyleColor();
  return changed;
}

void draw_query(const Model& model, Commands& commands) {
  const Theme& t = theme();
  const JournalPage& journal = model.journal;
  JournalQuery query = journal.query;
  bool all_labs = journal.all_labs;
  bool changed = draw_search(query.words, all_labs);
  std::vector<std::string> labels;
  std::size_t selected = 0;
  for (const VerdictChoice& choice : verdict_choices) {
    if (choice.verdict == query.verdict) selected = labels.size();
    labels.emplace_back(choice.name);
  }
  if (const auto lab = segments("labs", {"This lab", "All labs"}, all_labs ? 1 : 0)) {
    all_labs = *lab == 1;
    changed = true;
  }
  ImGui::SameLine(0, t.px(12));
  ImGui::SetNextItemWidth(t.px(150));
  if (ImGui::BeginCombo("##verdict", labels[selected].c_str())) {
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (ImGui::Selectable(labels[i].c_str(), i == selected)) {
        query.verdict = verdict_choices[i].verdict;
        changed = true;
      }
    ImGui::EndCombo();
  }
  note_control();
  if (changed) commands.push_back(command::SearchJournal{query, all_labs});
}

void draw_exports(Commands& commands) {
  const Theme& t = theme();
  const char* page = "Export with plots";
  const char* markdown = "Export as Markdown";
  const float room = ImGui::GetContentRegionAvail().x;
  if (button("page", page)) commands.push_back(command::ExportJournal{true});
  tooltip("One HTML file that needs no other, into the workbook");
  if (room > button_size(page).x + t.px(8) + button_size(markdown).x) ImGui::SameLine(0, t.px(8));
  if (button("markdown", markdown)) commands.push_back(command::ExportJournal{false});
  tooltip("A text file for your repository or notes, into the workbook");
}

void draw_trouble(const JournalPage& journal) {
  const Theme& t = theme();
  if (journal.unreadable) draw_prose(window_words(*journal.unreadable), t.color.bad);
  if (const auto error = unreadable_lines(journal.problems))
    text(t.font.small, t.color.unsure, window_words(*error), true);
}

void draw_nothing(const Model& model) {
  const Theme& t = theme();
  const JournalPage& journal = model.journal;
  const bool searching = !journal.query.words.empty() || journal.query.verdict;
  const Card card("nothing");
  text(t.font.title, t.color.text, searching ? "Nothing found" : "Nothing here yet");
  text(t.font.body, t.color.soft,
       searching ? (journal.all_labs ? "No entry holds all these words."
                                     : "No entry of this lab holds all these words. Other labs "
                                       "are searched with the switch above.")
                 : "Every prediction, hint and check is kept here with its numbers and its source, "
                   "so that you can see how you got there and go back.",
       true);
}

}  // namespace

void draw_journal(const Model& model, Commands& commands) {
  const Theme& t = theme();
  gap(10);
  draw_query(model, commands);
  draw_trouble(model.journal);
  gap(4);
  if (model.journal.shown.empty()) {
    draw_nothing(model);
  } else {
    draw_journal_list(model, commands,
                      std::max(ImGui::GetContentRegionAvail().y * 0.42f, t.px(170)));
    draw_journal_details(model, commands);
  }
  gap(10);
  draw_note_field(model, commands);
  draw_calibration(model);
  gap(10);
  draw_exports(commands);
}

}  // namespace klab::ui
