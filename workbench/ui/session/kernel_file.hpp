// KernelFile: the learner's file of the open lab: begun, typed into here, saved, or changed by
// another program; and what was typed and not saved, which outlives all that.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "ui/edit/text_document.hpp"
#include "ui/session/desk.hpp"
#include "ui/session/draft_store.hpp"

namespace klab::ui {

/// Notices when a file's content may have changed, by time and size; a poll costs one stat.
class FileWatch {
 public:
  void look_at(std::filesystem::path path);
  /// True once after each change. A file that vanishes is no change; its return is one.
  bool changed();

 private:
  std::filesystem::path path_;
  std::filesystem::file_time_type time_{};
  std::uintmax_t size_ = 0;
};

class KernelFile {
 public:
  explicit KernelFile(Desk& desk) : desk_(desk) {}

  /// Makes the flawed kernel the learner's, where there is no file yet.
  void start();
  void edit(const EditActs& acts);
  /// False if there was something to save and it could not be.
  bool save();
  /// What the file is now is known: it is our own change.
  void look_at(const Lab& lab);
  /// True once after each change by another program.
  bool changed() { return watch_.changed(); }
  /// Takes over what another program wrote; false if what was typed is in the way.
  bool take_over();

  /// Keeps what was typed and not saved, in the workbook or elsewhere. False if it is in danger.
  bool secure_draft();
  /// The open lab's text as it is left, with caret and history.
  void put_away();
  /// That of the lab that was opened, as it was left, and its draft.
  void bring_back();
  /// Keeps what was typed, a moment after the last key.
  void look_after_draft();
  /// False the first time if something would be lost.
  bool may_quit();
  /// What the learner has to know once the window is closed; empty if nothing.
  const std::string& farewell() const { return farewell_; }

 private:
  void restore_draft();
  void note_kept(const DraftFile& as);
  LabPage& page() { return desk_.model.page; }

  Desk& desk_;
  FileWatch watch_;
  std::map<std::string, TextDocument> documents_;  ///< of labs opened before, by id
  std::string kept_text_;  ///< the draft as it was last kept; empty if none is
  std::filesystem::path kept_as_;
  std::string farewell_;
  double edited_s_ = 0;
  double kept_s_ = 0;    ///< when the draft was last put away
  bool warned_ = false;  ///< quitting was refused once because something would be lost
};

}  // namespace klab::ui
