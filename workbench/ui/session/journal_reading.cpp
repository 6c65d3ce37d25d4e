// Journal reading: reading, searching, and what follows from the entries.
#include "ui/session/journal_reading.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/course/workbook.hpp"
#include "ui/session/library.hpp"

namespace klab::ui {
namespace {

/// Time and size of the journal's file; zeros if there is none.
std::pair<std::filesystem::file_time_type, std::uintmax_t> stamp(
    const std::filesystem::path& path) {
  std::error_code missing;
  const auto time = std::filesystem::last_write_time(path, missing);
  const auto size = missing ? 0 : std::filesystem::file_size(path, missing);
  if (missing) return {};
  return {time, size};
}

void read_anew(JournalPage& page, const std::filesystem::path& root) {
  const Journal journal(workbook_folder(root));
  std::tie(page.read_time, page.read_bytes) = stamp(journal.path());
  auto contents = journal.read();
  page.unreadable = contents ? std::nullopt : std::optional(contents.error());
  page.entries = contents ? std::move(contents->entries) : std::vector<JournalEntry>{};
  page.problems = contents ? std::move(contents->problems) : std::vector<std::string>{};
  page.search = {};
  for (const JournalEntry& entry : page.entries) page.search.add(entry);
}

/// Progress of every lab, calibration and what is shown.
void follow(Model& model) {
  JournalPage& journal = model.journal;
  journal.count_attempts();
  std::vector<Lab> course;
  for (LabEntry& entry : model.labs) {
    entry.progress =
        progress_of(entry.lab.id, learner_file(entry.lab) != LearnerFile::missing, journal.entries);
    course.push_back(entry.lab);
  }
  journal.calibration = calibrate(course, journal.entries);
  if (model.lab()) refresh_figures(model.page, model.lab()->id, journal.entries);
  search_journal(model);
}

}  // namespace

bool journal_changed(const Model& model, const std::filesystem::path& root) {
  const auto [time, bytes] = stamp(Journal(workbook_folder(root)).path());
  return time != model.journal.read_time || bytes != model.journal.read_bytes;
}

void refresh_journal(Model& model, const std::filesystem::path& root) {
  if (journal_changed(model, root) || model.journal.unreadable) read_anew(model.journal, root);
  follow(model);
}

void take_appended(Model& model, const std::filesystem::path& root, JournalEntry entry) {
  JournalPage& page = model.journal;
  // Another program may have written before it: then everything is read anew.
  const std::int64_t last = page.entries.empty() ? 0 : page.entries.back().number;
  if (entry.number != last + 1 || !page.problems.empty()) {
    read_anew(page, root);
  } else {
    page.search.add(entry);
    page.entries.push_back(std::move(entry));
    std::tie(page.read_time, page.read_bytes) = stamp(Journal(workbook_folder(root)).path());
  }
  follow(model);
}

void search_journal(Model& model) {
  JournalPage& page = model.journal;
  page.query.lab = page.all_labs || !model.lab() ? std::string() : model.lab()->id;
  page.shown = page.search.find(page.query);
  std::reverse(page.shown.begin(), page.shown.end());
}

}  // namespace klab::ui
