// What a lab's entries in the journal amount to, one after the other.
#include "core/journal/progress.hpp"

#include <algorithm>

#include "core/base/names.hpp"

namespace klab {
namespace {

constexpr std::pair<LabStatus, std::string_view> statuses[] = {
    {LabStatus::not_started, "not started"},
    {LabStatus::started, "started"},
    {LabStatus::failing, "failing"},
    {LabStatus::provisional, "passed provisionally"},
    {LabStatus::passed, "passed"}};

/// What an attempt at the learner's own file changes. `provisional` is the source of the last
/// provisional pass.
void add_attempt(LabProgress& progress, const JournalEntry& entry,
                 std::optional<std::string>& provisional) {
  ++progress.attempts;
  const bool passed = progress.status == LabStatus::passed;
  if (entry.verdict == Outcome::pass) {
    progress.status = LabStatus::passed;
    if (entry.ratio && (!progress.best_ratio || entry.ratio->median > progress.best_ratio->median))
      progress.best_ratio = entry.ratio;
  }
  // What was passed stays so while the learner tries on; a GPU has the last word on that source.
  const bool refuted = entry.backend == Backend::gpu && provisional == entry.source_digest;
  if (entry.verdict == Outcome::fail && !passed && (!provisional || refuted)) {
    progress.status = LabStatus::failing;
    provisional.reset();
  }
  if (passes_provisionally(entry.gates)) {
    progress.passed_provisionally = true;
    provisional = entry.source_digest;
    if (!passed) progress.status = LabStatus::provisional;
  }
}

}  // namespace

std::string_view to_string(LabStatus status) { return name_in(statuses, status); }

LabProgress progress_of(const std::string& lab, bool file_exists,
                        const std::vector<JournalEntry>& entries) {
  LabProgress progress;
  std::optional<std::string> provisional;
  if (file_exists) progress.status = LabStatus::started;
  for (const JournalEntry& entry : entries) {
    if (entry.lab != lab) continue;
    switch (entry.kind) {
      case JournalEntry::Kind::hint:
        progress.hints_shown = std::max(progress.hints_shown, entry.hint.value_or(0));
        break;
      case JournalEntry::Kind::solution:
        progress.solution_shown = progress.solution_shown || !progress.solution_open();
        break;
      case JournalEntry::Kind::prediction:
        progress.answers = entry.answers;
        break;
      case JournalEntry::Kind::note:
      case JournalEntry::Kind::restored:
        break;
      case JournalEntry::Kind::started:
      case JournalEntry::Kind::reset:
        if (progress.status == LabStatus::failing && file_exists)
          progress.status = LabStatus::started;
        break;
      case JournalEntry::Kind::attempt:
        // Checks of other kernels of the lab say nothing about the learner's.
        if (entry.variant == VariantName::mine) add_attempt(progress, entry, provisional);
        break;
    }
  }
  return progress;
}

std::optional<std::size_t> next_open(const std::vector<LabStatus>& course,
                                     std::optional<std::size_t> after) {
  const std::size_t first = after ? *after + 1 : 0;
  for (std::size_t step = 0; step < course.size(); ++step) {
    const std::size_t index = (first + step) % course.size();
    const bool done = course[index] == LabStatus::passed || course[index] == LabStatus::provisional;
    if (!done && index != after) return index;
  }
  return std::nullopt;
}

void ProgressCount::add(LabStatus status) {
  ++labs;
  passed += status == LabStatus::passed;
  provisional += status == LabStatus::provisional;
}

std::string to_string(const ProgressCount& count) {
  std::string words =
      std::to_string(count.passed) + " of " + std::to_string(count.labs) + " labs passed";
  if (count.provisional > 0) words += ", " + std::to_string(count.provisional) + " provisionally";
  return words;
}

}  // namespace klab
