// LabProgress: how far the learner is with a lab and with the course, derived from the journal.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/journal/journal.hpp"

namespace klab {

/// How far the learner is with one lab. A provisional pass is one of passes_provisionally().
enum class LabStatus { not_started, started, failing, provisional, passed };
/// "not started", "started", "failing", "passed provisionally", "passed"
std::string_view to_string(LabStatus status);

struct LabProgress {
  LabStatus status = LabStatus::not_started;
  int attempts = 0;
  int hints_shown = 0;
  bool solution_shown = false;        ///< asked for before it was open
  bool passed_provisionally = false;  ///< at least once
  std::vector<int> answers;           ///< of the last prediction, as in JournalEntry
  std::optional<Interval> best_ratio;

  /// What to try may be told: a hint was asked for. Before, numbers speak of the symptom alone.
  bool advice_open() const { return hints_shown > 0 || solution_open(); }
  /// A guess was made, not only asked for.
  bool has_predicted() const {
    return std::any_of(answers.begin(), answers.end(), [](int answer) { return answer >= 0; });
  }
  /// Solution and explanation may be seen.
  bool solution_open() const {
    return status == LabStatus::passed || passed_provisionally || solution_shown;
  }
};
/// Derived from the journal alone, but for whether the learner's file exists. Once passed, a lab
/// stays passed; a provisional pass stays until a GPU finds the very same source failing.
LabProgress progress_of(const std::string& lab, bool file_exists,
                        const std::vector<JournalEntry>& entries);

/// Where to go on in a course: the first lab behind `after`, or from the start where there is none,
/// that is not passed, not even provisionally; round the course, and never `after` itself.
std::optional<std::size_t> next_open(const std::vector<LabStatus>& course,
                                     std::optional<std::size_t> after);

/// How many labs of a course, or of a part of it, are passed.
struct ProgressCount {
  int labs = 0, passed = 0, provisional = 0;  ///< a lab is passed or provisional, not both

  void add(LabStatus status);
  bool operator==(const ProgressCount&) const = default;
};
/// "2 of 5 labs passed, 3 provisionally": the one wording for terminal and window.
std::string to_string(const ProgressCount& count);

}  // namespace klab
