// Journal: what the learner did, one JSON object a line, appended and never rewritten.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/course/lab.hpp"
#include "core/verdict/check_result.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

/// Entries are numbered from 1 to this; a line with another number is not ours.
inline constexpr std::int64_t most_journal_number = 1'000'000'000;
/// A longer line is not ours; it is reported and skipped.
inline constexpr std::size_t longest_journal_line_bytes = 1u << 20;
/// A longer source is not kept with its attempt.
inline constexpr std::size_t longest_kept_source_bytes = 256u << 10;
/// A longer note is refused, not cut.
inline constexpr std::size_t longest_note_bytes = 16u << 10;

/// One act of the learner. Only the fields of its kind are filled.
struct JournalEntry {
  enum class Kind { attempt, started, reset, hint, prediction, solution, note, restored };
  Kind kind = Kind::attempt;
  std::int64_t number = 0;  ///< 1, 2, 3, ... in the order of the journal; given by append()
  std::string date;         ///< ISO 8601, UTC; given by append() if empty
  std::string lab;          ///< id

  // attempt
  VariantName variant;
  std::optional<Backend> backend;
  std::optional<Outcome> verdict;
  std::string conclusion;
  std::optional<Interval> ratio;
  std::string source_digest;
  std::optional<std::uint64_t> seed;
  std::optional<std::string> source;  ///< absent if it was too long to keep
  std::string device;
  std::vector<Gate> gates;           ///< what each gate saw, without its sentences
  std::vector<std::string> reached;  ///< names of the rungs, the pass first
  std::optional<double> score;       ///< see CheckResult
  /// What the flawed kernel showed in the same check, by the metric of a cause gate.
  std::map<std::string, double> flawed;

  std::optional<std::int64_t> of;  ///< restored: the number of the attempt
  std::string text;                ///< note: the learner's own words
  std::optional<int> hint;         ///< hint: which one was shown, from 1
  std::vector<int> answers;        ///< prediction and attempt: index of the choice, -1 for skipped
};
std::string_view to_string(JournalEntry::Kind kind);
/// A check of the learner's own file, and of no solution or trial.
bool is_learners_attempt(const JournalEntry& entry);

/// What was read, and sentences about what could not be.
struct JournalContents {
  std::vector<JournalEntry> entries;
  std::vector<std::string> problems;
};

/// What to say of lines that could not be read; nullopt if there are none.
std::optional<Error> unreadable_lines(const std::vector<std::string>& problems);

class Journal {
 public:
  /// `folder` is the workbook.
  explicit Journal(std::filesystem::path folder);

  const std::filesystem::path& path() const { return path_; }

  /// Adds one entry and has it on disk before it returns; the answer is its number. A last line
  /// torn by a crash is first moved to journal.jsonl.torn-<date>. Several programs may append at
  /// once. Errors: ErrorCode::io; then the journal is as it was. With `written`, the entry as it is
  /// in the journal now.
  Result<std::int64_t> append(JournalEntry entry, JournalEntry* written = nullptr) const;

  /// All entries. A missing journal is an empty one; a line that is not ours is skipped and
  /// reported. Errors: ErrorCode::io if the file is there but cannot be read.
  Result<JournalContents> read() const;

 private:
  std::filesystem::path path_;
};

/// The entry of an attempt, ready to append.
JournalEntry attempt_entry(const CheckResult& result, std::string source,
                           std::vector<int> predictions);

/// The entry of a note, ready to append. Blanks around it go. Errors: ErrorCode::usage if nothing
/// is left or it is longer than longest_note_bytes.
Result<JournalEntry> note_entry(const std::string& lab, std::string_view text);

/// The entry of that number. Errors: ErrorCode::usage if there is none.
Result<JournalEntry> find_entry(const std::vector<JournalEntry>& entries, std::int64_t number);

/// The source of an attempt, proved by its digest. Errors: ErrorCode::usage if the entry holds
/// none.
Result<std::string> source_of(const JournalEntry& entry);

/// One line of the journal, without its newline, and back. Errors: ErrorCode::io saying what is
/// wrong with the line.
std::string encode(const JournalEntry& entry);
Result<JournalEntry> decode_journal_entry(std::string_view line);

}  // namespace klab
