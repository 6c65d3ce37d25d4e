// Session: what the learner does with the journal: notes, looking back, restoring, exporting.
#include <algorithm>

#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/course/workbook.hpp"
#include "core/journal/report.hpp"
#include "ui/session/journal_reading.hpp"
#include "ui/session/library.hpp"
#include "ui/session/session.hpp"

namespace klab::ui {
namespace {

constexpr std::size_t most_chosen = 2;

std::string words(const Error& error) { return error.what + " " + error.remedy; }

}  // namespace

void Session::choose_entry(std::int64_t number, bool beside) {
  std::vector<std::int64_t>& chosen = model_.journal.chosen;
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

bool Session::replace_kernel(const Lab& lab, const std::string& source,
                             std::filesystem::path& kept) {
  const bool open = model_.lab() && model_.lab()->id == lab.id;
  if (open && !save()) return false;
  const auto replaced = replace_learner_file(lab, source);
  if (!replaced) {
    notify("Not restored: " + words(replaced.error()), Outcome::fail);
    return false;
  }
  kept = *replaced;
  if (!open) return true;
  reload_code(model_);
  model_.page.messages.clear();
  // It is our own change: the learner says when to check it.
  watch_.look_at(workbook_file(lab));
  return true;
}

void Session::restore(std::int64_t number) {
  if (!model_.replaying.empty() || model_.checking()) return;
  const JournalEntry* entry = model_.journal.entry(number);
  if (!entry) return;
  const auto source = source_of(*entry);
  const auto at = std::find_if(model_.labs.begin(), model_.labs.end(),
                               [&](const LabEntry& one) { return one.lab.id == entry->lab; });
  if (!source) return notify(words(source.error()), Outcome::fail);
  if (at == model_.labs.end()) return notify("This course has no lab " + entry->lab + ".");
  RestoreUndo undo{.lab = entry->lab};
  if (!replace_kernel(at->lab, *source, undo.kept)) return;
  std::string told = "Entry " + std::to_string(number) + " is your kernel again.";
  if (!undo.kept.empty())
    told += " What was there is kept as " + undo.kept.lexically_relative(tree_.root).string() + ".";
  model_.journal.undo = undo.kept.empty() ? std::nullopt : std::optional(undo);
  notify(std::move(told), Outcome::pass);
  note({.kind = JournalEntry::Kind::restored, .lab = undo.lab, .of = number});
}

void Session::undo_restore() {
  if (!model_.journal.undo || model_.checking()) return;
  const RestoreUndo undo = *model_.journal.undo;
  const auto at = std::find_if(model_.labs.begin(), model_.labs.end(),
                               [&](const LabEntry& one) { return one.lab.id == undo.lab; });
  const auto before = read_file(undo.kept, longest_kept_source_bytes);
  if (at == model_.labs.end()) return;
  if (!before) return notify(words(before.error()), Outcome::fail);
  std::filesystem::path kept;
  if (!replace_kernel(at->lab, *before, kept)) return;
  model_.journal.undo.reset();
  notify("Your kernel is what it was before the restore.", Outcome::pass);
  note({.kind = JournalEntry::Kind::restored, .lab = undo.lab});
}

void Session::add_note(const std::string& lab) {
  if (!model_.replaying.empty()) return;
  TextDocument& draft = model_.journal.drafts[lab];
  if (draft.text().find_first_not_of(" \t\r\n") == std::string::npos) return;
  auto entry = note_entry(lab, draft.text());
  if (!entry) return notify(words(entry.error()), Outcome::fail);
  JournalEntry written;
  const auto number = Journal(workbook_folder(tree_.root)).append(std::move(*entry), &written);
  // On an error the words stay in the field.
  if (!number) return notify("The note is not kept yet: " + words(number.error()), Outcome::fail);
  draft = {};
  take_appended(model_, tree_.root, std::move(written));
  notify("Noted in your journal.", Outcome::pass);
}

void Session::export_journal(bool page) {
  std::vector<Lab> course;
  for (const LabEntry& entry : model_.labs) course.push_back(entry.lab);
  const JournalReport report =
      make_report(course, model_.journal.entries, model_.journal.calibration,
                  read_flawed_sources(course), now_utc());
  const std::filesystem::path file =
      workbook_folder(tree_.root) / ("journal-" + now_for_file_name() + (page ? ".html" : ".md"));
  const auto written = write_file(file, page ? journal_html(report) : journal_markdown(report));
  if (!written)
    notify("Not exported: " + words(written.error()), Outcome::fail);
  else
    notify("Written to " + file.string(), Outcome::pass);
}

void Session::note(JournalEntry entry) {
  if (!model_.replaying.empty()) return;
  JournalEntry written;
  const auto number = Journal(workbook_folder(tree_.root)).append(std::move(entry), &written);
  if (!number)
    notify("The journal could not be written: " + words(number.error()), Outcome::fail);
  else
    take_appended(model_, tree_.root, std::move(written));
}

}  // namespace klab::ui
