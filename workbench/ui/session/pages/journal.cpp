// Remembering: what each act with the journal does.
#include "ui/session/pages/journal.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/course/workbook.hpp"
#include "core/journal/report.hpp"
#include "ui/session/journal_reading.hpp"
#include "ui/session/library.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

constexpr std::size_t most_chosen = 2;

}  // namespace

void Remembering::search(JournalQuery query, bool all_labs) {
  desk_.model.journal.query = std::move(query);
  desk_.model.journal.all_labs = all_labs;
  search_journal(desk_.model);
}

void Remembering::edit_note(const EditActs& acts) {
  const Lab* lab = desk_.model.lab();
  if (!lab) return;
  for (const EditAct& act : acts) desk_.model.journal.drafts[lab->id].apply(act);
}

void Remembering::add_all_notes() {
  // A copy, because adding a note clears its draft.
  for (const auto& [lab, draft] : std::map(desk_.model.journal.drafts)) add_note(lab);
}

void Remembering::choose(std::int64_t number, bool beside) {
  std::vector<std::int64_t>& chosen = desk_.model.journal.chosen;
  const auto at = std::find(chosen.begin(), chosen.end(), number);
  if (!beside) {
    chosen = {number};
  } else if (at != chosen.end()) {
    chosen.erase(at);
  } else {
    if (chosen.size() == most_chosen) chosen.erase(chosen.begin());
    chosen.push_back(number);
  }
}

bool Remembering::replace_kernel(const Lab& lab, const std::string& source,
                                 std::filesystem::path& kept) {
  const bool open = desk_.model.lab() && desk_.model.lab()->id == lab.id;
  if (open && !file_.save()) return false;
  const auto replaced = replace_learner_file(lab, source);
  if (!replaced) {
    desk_.notify("Not restored: " + window_words(replaced.error()), Outcome::fail);
    return false;
  }
  kept = *replaced;
  if (!open) return true;
  reload_code(desk_.model);
  desk_.model.page.messages.clear();
  // It is our own change: the learner says when to check it.
  file_.look_at(lab);
  return true;
}

void Remembering::restore(std::int64_t number) {
  if (!desk_.model.replaying.empty() || desk_.model.checking()) return;
  const JournalEntry* entry = desk_.model.journal.entry(number);
  if (!entry) return;
  const auto source = source_of(*entry);
  const auto at = std::find_if(desk_.model.labs.begin(), desk_.model.labs.end(),
                               [&](const LabEntry& one) { return one.lab.id == entry->lab; });
  if (!source) return desk_.notify(window_words(source.error()), Outcome::fail);
  if (at == desk_.model.labs.end())
    return desk_.notify("This course has no lab " + entry->lab + ".");
  RestoreUndo undo{.lab = entry->lab};
  if (!replace_kernel(at->lab, *source, undo.kept)) return;
  std::string told = "Entry " + std::to_string(number) + " is your kernel again.";
  if (!undo.kept.empty())
    told += " What was there is kept as " + undo.kept.lexically_relative(desk_.tree.root).string() +
            ".";
  desk_.model.journal.undo = undo.kept.empty() ? std::nullopt : std::optional(undo);
  desk_.notify(std::move(told), Outcome::pass);
  desk_.note({.kind = JournalEntry::Kind::restored, .lab = undo.lab, .of = number});
}

void Remembering::undo_restore() {
  if (!desk_.model.journal.undo || desk_.model.checking()) return;
  const RestoreUndo undo = *desk_.model.journal.undo;
  const auto at = std::find_if(desk_.model.labs.begin(), desk_.model.labs.end(),
                               [&](const LabEntry& one) { return one.lab.id == undo.lab; });
  const auto before = read_file(undo.kept, longest_kept_source_bytes);
  if (at == desk_.model.labs.end()) return;
  if (!before) return desk_.notify(window_words(before.error()), Outcome::fail);
  std::filesystem::path kept;
  if (!replace_kernel(at->lab, *before, kept)) return;
  desk_.model.journal.undo.reset();
  desk_.notify("Your kernel is what it was before the restore.", Outcome::pass);
  desk_.note({.kind = JournalEntry::Kind::restored, .lab = undo.lab});
}

void Remembering::add_note(const std::string& lab) {
  if (!desk_.model.replaying.empty()) return;
  TextDocument& draft = desk_.model.journal.drafts[lab];
  if (draft.text().find_first_not_of(" \t\r\n") == std::string::npos) return;
  auto entry = note_entry(lab, draft.text());
  if (!entry) return desk_.notify(window_words(entry.error()), Outcome::fail);
  JournalEntry written;
  const auto number = Journal(workbook_folder(desk_.tree.root)).append(std::move(*entry), &written);
  // On an error the words stay in the field.
  if (!number)
    return desk_.notify("The note is not kept yet: " + window_words(number.error()), Outcome::fail);
  draft = {};
  take_appended(desk_.model, desk_.tree.root, std::move(written));
  desk_.notify("Noted in your journal.", Outcome::pass);
}

void Remembering::export_journal(bool page) {
  std::vector<Lab> course;
  for (const LabEntry& entry : desk_.model.labs) course.push_back(entry.lab);
  const JournalReport report =
      make_report(course, desk_.model.journal.entries, desk_.model.journal.calibration,
                  read_flawed_sources(course), now_utc());
  const std::filesystem::path file = workbook_folder(desk_.tree.root) /
                                     ("journal-" + now_for_file_name() + (page ? ".html" : ".md"));
  const auto written = write_file(file, page ? journal_html(report) : journal_markdown(report));
  if (!written)
    desk_.notify("Not exported: " + window_words(written.error()), Outcome::fail);
  else
    desk_.notify("Written to " + file.string(), Outcome::pass);
}

}  // namespace klab::ui
