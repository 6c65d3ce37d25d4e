// KernelFile: begun, typed into here, saved, or changed by another program.
#include "ui/session/kernel_file.hpp"

#include <optional>
#include <utility>

#include "core/base/files.hpp"
#include "core/build/editor_settings.hpp"
#include "core/course/workbook.hpp"
#include "ui/session/journal_reading.hpp"
#include "ui/session/library.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {

void FileWatch::look_at(std::filesystem::path path) {
  path_ = std::move(path);
  std::error_code missing;
  time_ = std::filesystem::last_write_time(path_, missing);
  size_ = std::filesystem::file_size(path_, missing);
}

bool FileWatch::changed() {
  if (path_.empty()) return false;
  std::error_code missing;
  const auto time = std::filesystem::last_write_time(path_, missing);
  if (missing) return false;
  const auto size = std::filesystem::file_size(path_, missing);
  if (missing || (time == time_ && size == size_)) return false;
  time_ = time, size_ = size;
  return true;
}

void KernelFile::start() {
  Model& model = desk_.model;
  const Lab* lab = model.lab();
  if (!lab) return;
  if (const auto started = start_lab(*lab); !started) {
    desk_.notify(window_words(started.error()), Outcome::fail);
    return;
  } else if (*started) {
    desk_.note({.kind = JournalEntry::Kind::started, .lab = lab->id});
    // For an editor beside the window; without it that one misses its help, nothing more.
    (void)write_editor_settings(desk_.tree, load_course(desk_.tree.root));
  }
  refresh_journal(model, desk_.tree.root);
  reload_code(model);
  model.page.shown_code = CodeChoice::mine;
  look_at(*lab);
  desk_.show(Page::code);
}

void KernelFile::look_at(const Lab& lab) { watch_.look_at(workbook_file(lab)); }

void KernelFile::edit(const EditActs& acts) {
  LabPage& page = this->page();
  if (!page.started()) return;
  const CodeFile& mine = page.kernels->mine;
  for (const EditAct& act : acts) page.document.apply(act);
  if (page.state.view.listing) page.state.view.line = page.document.line();
  const std::string& text = page.document.text();
  if (text == shown_text(page, mine)) return;
  if (text == mine.text && !page.changed_on_disk)
    page.draft.reset();
  else
    page.draft = text;
  edited_s_ = desk_.model.now_s;
}

bool KernelFile::save() {
  LabPage& page = this->page();
  if (!page.draft) return true;
  const Lab& lab = *desk_.model.lab();
  std::optional<Error> problem;
  if (page.changed_on_disk) {
    // Another program saved meanwhile: its version is kept beside this one.
    const auto kept = replace_learner_file(lab, *page.draft);
    if (!kept)
      problem = kept.error();
    else
      desk_.notify("The file had changed on disk; that version is kept as " + kept->string() + ".");
  } else if (const auto written = write_file(workbook_file(lab), *page.draft); !written) {
    problem = written.error();
  }
  if (problem) {
    desk_.notify("Not saved: " + window_words(*problem), Outcome::fail);
    return false;
  }
  page.draft.reset();
  forget_draft(lab, kept_text_);
  kept_text_.clear();
  page.changed_on_disk = false;
  look_at(lab);
  reload_code(desk_.model);
  return true;
}

bool KernelFile::take_over() {
  if (!desk_.model.current) return false;
  if (page().draft) {
    page().changed_on_disk = true;
    desk_.notify(
        "The file changed on disk. What you typed here is still here; saving it keeps both.");
    return false;
  }
  reload_code(desk_.model);
  return true;
}

}  // namespace klab::ui
