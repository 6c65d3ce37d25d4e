// Remembering: what the learner does with the journal: notes, looking back, restoring, exporting.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "ui/session/kernel_file.hpp"

namespace klab::ui {

class Remembering {
 public:
  Remembering(Desk& desk, KernelFile& file) : desk_(desk), file_(file) {}

  void search(JournalQuery query, bool all_labs);
  void choose(std::int64_t number, bool beside);
  void restore(std::int64_t number);
  void undo_restore();
  void edit_note(const EditActs& acts);
  void add_note(const std::string& lab);
  /// Adds every note that was begun.
  void add_all_notes();
  void export_journal(bool page);

 private:
  bool replace_kernel(const Lab& lab, const std::string& source, std::filesystem::path& kept);

  Desk& desk_;
  KernelFile& file_;
};

}  // namespace klab::ui
