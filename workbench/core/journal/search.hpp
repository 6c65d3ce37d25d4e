// JournalSearch: finding entries by words, lab and verdict, fast enough to answer while one types.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/journal/journal.hpp"

namespace klab {

struct JournalQuery {
  std::string words;               ///< each must occur; capitals do not matter
  std::string lab;                 ///< id; empty: all
  std::optional<Outcome> verdict;  ///< only attempts that ended so
};

/// What the entry says of itself in one line: an attempt's conclusion, "Read hint 2", a note's
/// first line.
std::string headline(const JournalEntry& entry);

/// The text of each entry, prepared once: lab, kind, verdict, conclusion, note, date and source.
class JournalSearch {
 public:
  void add(const JournalEntry& entry);
  std::size_t size() const { return rows_.size(); }
  /// Indices of the matching entries in the order of adding.
  std::vector<std::size_t> find(const JournalQuery& query) const;

 private:
  struct Row {
    std::string lab;
    std::optional<Outcome> verdict;
    std::string text;  ///< in small letters
  };
  std::vector<Row> rows_;
};

}  // namespace klab
