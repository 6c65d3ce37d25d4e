// Session: the learner's file, typed into here, saved, or changed by another program.
#include "core/base/files.hpp"
#include "core/course/workbook.hpp"
#include "ui/session/draft_store.hpp"
#include "ui/session/library.hpp"
#include "ui/session/session.hpp"

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

void Session::edit(const std::string& text) {
  LabPage& page = model_.page;
  if (page.code.empty() || !page.code.front().absent.empty()) return;
  if (text == page.code.front().text && !page.changed_on_disk)
    page.draft.reset();
  else
    page.draft = text;
  edited_s_ = model_.now_s;
}

bool Session::save() {
  LabPage& page = model_.page;
  if (!page.draft) return true;
  const Lab& lab = *model_.lab();
  std::optional<Error> problem;
  if (page.changed_on_disk) {
    // Another program saved meanwhile: its version is kept beside this one.
    const auto kept = replace_learner_file(lab, *page.draft);
    if (!kept)
      problem = kept.error();
    else
      notify("The file had changed on disk; that version is kept as " + kept->string() + ".");
  } else if (const auto written = write_file(workbook_file(lab), *page.draft); !written) {
    problem = written.error();
  }
  if (problem) {
    notify("Not saved: " + problem->what + " " + problem->remedy, Outcome::fail);
    return false;
  }
  page.draft.reset();
  forget_draft(lab);
  kept_text_.clear();
  page.changed_on_disk = false;
  watch_.look_at(workbook_file(lab));
  reload_code(model_);
  return true;
}

void Session::save_and_check() {
  if (!model_.page.draft || !save()) return;
  check_after_save();
}

void Session::file_changed() {
  if (!model_.current) return;
  if (model_.page.draft) {
    model_.page.changed_on_disk = true;
    notify("The file changed on disk. What you typed here is still here; saving it keeps both.");
    return;
  }
  reload_code(model_);
  ++model_.page.revision;
  check_after_save();
}

void Session::check_after_save() {
  const PredictionState& prediction = model_.page.prediction;
  if (!model_.watch || !prediction.settled) return;
  if (!model_.running()) {
    run_now();
  } else if (model_.investigating || model_.running_lab == model_.lab()->id) {
    run_again_ = true;
    launcher_.cancel();
  }
}

}  // namespace klab::ui
