// JournalPage: what the Journal page shows, as plain values.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/journal/calibration.hpp"
#include "core/journal/journal.hpp"
#include "core/journal/search.hpp"
#include "ui/edit/text_document.hpp"

namespace klab::ui {

/// A restore that can be taken back.
struct RestoreUndo {
  std::string lab;
  std::filesystem::path kept;  ///< what was there before
};

struct JournalPage {
  std::vector<JournalEntry> entries;  ///< of all labs, oldest first
  std::vector<int> attempts;          ///< of each entry its attempt_number()
  std::vector<std::string> problems;  ///< lines that could not be read
  std::optional<Error> unreadable;    ///< why there are no entries although there is a journal
  Calibration calibration;
  JournalSearch search;
  JournalQuery query;  ///< its lab follows `all_labs` and the open lab
  bool all_labs = false;
  std::vector<std::size_t> shown;    ///< indices of the entries that match, newest first
  std::vector<std::int64_t> chosen;  ///< numbers of at most two entries, in the order of choosing
  std::map<std::string, TextDocument> drafts;  ///< notes being written, by lab id
  std::optional<RestoreUndo> undo;
  std::filesystem::file_time_type read_time{};  ///< of the journal when it was last read
  std::uintmax_t read_bytes = 0;

  /// The entry of that number; nullptr if there is none.
  const JournalEntry* entry(std::int64_t number) const;
  /// The learner's attempt with a source that came before `entry` in its lab; nullptr for the
  /// first.
  const JournalEntry* attempt_before(const JournalEntry& entry) const;
  /// Says of each entry how many attempts at its lab there were until then.
  void count_attempts();
  /// 1, 2, ... among the learner's attempts at its lab; `entry` is one of `entries`.
  int attempt_number(const JournalEntry& entry) const;
  /// "Attempt 2", "Check of optimized", or what else happened.
  std::string title_of(const JournalEntry& entry) const;
  /// "Attempt 2: Right, but not faster.", by which a row of the list is found from its title.
  std::string row_of(const JournalEntry& entry) const;
};

}  // namespace klab::ui
