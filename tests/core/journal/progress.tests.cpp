// Progress follows from the journal, and one count of it serves terminal and window.
#include "core/journal/progress.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace klab;

namespace {
JournalEntry attempt_with(Outcome verdict, const VariantName& variant = VariantName::mine) {
  JournalEntry entry;
  entry.lab = "02-coalescing";
  entry.variant = variant;
  entry.backend = Backend::gpu;
  entry.verdict = verdict;
  return entry;
}
JournalEntry act(JournalEntry::Kind kind) {
  JournalEntry entry;
  entry.kind = kind;
  entry.lab = "02-coalescing";
  return entry;
}
/// What a simulator says of a right kernel: all but the time.
JournalEntry counted(const std::string& source_digest) {
  JournalEntry entry = attempt_with(Outcome::not_checkable);
  entry.backend = Backend::simulator;
  entry.source_digest = source_digest;
  entry.gates = {{.name = GateName::built, .outcome = Outcome::pass},
                 {.name = GateName::correct, .outcome = Outcome::pass},
                 {.name = GateName::cause, .outcome = Outcome::pass},
                 {.name = GateName::cause, .outcome = Outcome::not_checkable},
                 {.name = GateName::time, .outcome = Outcome::not_checkable}};
  return entry;
}
}  // namespace

TEST_CASE("progress follows from the journal", "[core][journal]") {
  const std::string lab = "02-coalescing";
  std::vector<JournalEntry> entries;
  CHECK(progress_of(lab, false, entries).status == LabStatus::not_started);
  CHECK(progress_of(lab, true, entries).status == LabStatus::started);

  entries.push_back(attempt_with(Outcome::pass, VariantName::optimized));
  CHECK(progress_of(lab, true, entries).status == LabStatus::started);
  CHECK(progress_of(lab, true, entries).attempts == 0);

  entries.push_back(attempt_with(Outcome::not_checkable));
  CHECK(progress_of(lab, true, entries).status == LabStatus::started);
  entries.push_back(attempt_with(Outcome::fail));
  CHECK(progress_of(lab, true, entries).status == LabStatus::failing);
  JournalEntry hint = act(JournalEntry::Kind::hint);
  hint.hint = 2;
  entries.push_back(hint);
  CHECK(progress_of(lab, true, entries).hints_shown == 2);

  entries.push_back(attempt_with(Outcome::pass));
  entries.push_back(act(JournalEntry::Kind::solution));
  entries.push_back(attempt_with(Outcome::fail));
  const LabProgress progress = progress_of(lab, true, entries);
  CHECK(progress.status == LabStatus::passed);
  CHECK(progress.attempts == 4);  // the other kernel's check is none
  CHECK_FALSE(progress.solution_shown);
  CHECK(progress_of("01-divergence", false, entries).status == LabStatus::not_started);
}

TEST_CASE("without a GPU a lab is passed provisionally, which opens its solution",
          "[core][journal]") {
  const std::string lab = "02-coalescing";
  std::vector<JournalEntry> entries = {counted("right"), act(JournalEntry::Kind::solution)};
  LabProgress progress = progress_of(lab, true, entries);
  CHECK(progress.status == LabStatus::provisional);
  CHECK(progress.solution_open());
  CHECK_FALSE(progress.solution_shown);

  // A GPU has the last word; what was seen stays seen.
  JournalEntry refuted = attempt_with(Outcome::fail);
  refuted.source_digest = "right";
  entries.push_back(refuted);
  progress = progress_of(lab, true, entries);
  CHECK(progress.status == LabStatus::failing);
  CHECK(progress.solution_open());
  entries.push_back(attempt_with(Outcome::pass));
  entries.push_back(counted("right"));
  CHECK(progress_of(lab, true, entries).status == LabStatus::passed);
}

TEST_CASE("nothing is passed provisionally that is wrong or whose cause was not seen",
          "[core][journal]") {
  const auto gates = [](Outcome correct, Outcome cause, Outcome time) {
    return std::vector<Gate>{{.name = GateName::correct, .outcome = correct},
                             {.name = GateName::cause, .outcome = cause},
                             {.name = GateName::time, .outcome = time}};
  };
  const auto pass = Outcome::pass, fail = Outcome::fail, open = Outcome::not_checkable;
  CHECK(passes_provisionally(gates(pass, pass, open)));
  CHECK_FALSE(passes_provisionally(gates(pass, open, pass)));
  CHECK_FALSE(passes_provisionally(gates(open, pass, open)));
  CHECK_FALSE(passes_provisionally(gates(pass, fail, open)));
  CHECK_FALSE(passes_provisionally(gates(pass, pass, Outcome::inconclusive)));
  CHECK_FALSE(passes_provisionally(gates(pass, pass, pass)));  // that is a pass
  CHECK_FALSE(passes_provisionally({}));
}

TEST_CASE("a solution seen before passing is remembered", "[core][journal]") {
  const std::vector<JournalEntry> entries = {act(JournalEntry::Kind::solution),
                                             attempt_with(Outcome::pass)};
  CHECK(progress_of("02-coalescing", true, entries).solution_shown);
}

TEST_CASE("a provisional pass stays while the learner tries on, as a real one does",
          "[core][journal]") {
  const std::string lab = "02-coalescing";
  JournalEntry worse = attempt_with(Outcome::fail);
  worse.backend = Backend::simulator;
  worse.source_digest = "worse";
  std::vector<JournalEntry> entries = {counted("right"), worse};
  CHECK(progress_of(lab, true, entries).status == LabStatus::provisional);
  entries.push_back(act(JournalEntry::Kind::reset));
  CHECK(progress_of(lab, true, entries).status == LabStatus::provisional);

  // A GPU that finds another source failing says nothing about the one that was passed.
  worse.backend = Backend::gpu;
  entries.push_back(worse);
  CHECK(progress_of(lab, true, entries).status == LabStatus::provisional);
  worse.source_digest = "right";
  entries.push_back(worse);
  CHECK(progress_of(lab, true, entries).status == LabStatus::failing);
  // Then it is as open as any failing one.
  entries.push_back(act(JournalEntry::Kind::reset));
  CHECK(progress_of(lab, true, entries).status == LabStatus::started);
}

TEST_CASE("a count of labs names provisional passes beside real ones", "[core][journal]") {
  ProgressCount count;
  CHECK(to_string(count) == "0 of 0 labs passed");
  for (const LabStatus status : {LabStatus::not_started, LabStatus::started, LabStatus::failing})
    count.add(status);
  CHECK(to_string(count) == "0 of 3 labs passed");
  count.add(LabStatus::passed);
  CHECK(to_string(count) == "1 of 4 labs passed");
  count.add(LabStatus::provisional);
  CHECK(count == ProgressCount{.labs = 5, .passed = 1, .provisional = 1});
  CHECK(to_string(count) == "1 of 5 labs passed, 1 provisionally");
}

TEST_CASE("a learner goes on with the next lab that is open, round the course", "[core][journal]") {
  using enum LabStatus;
  const std::vector<LabStatus> course = {failing, passed, provisional, not_started, passed};
  CHECK(next_open(course, std::nullopt) == 0);
  CHECK(next_open(course, 0) == 3);
  CHECK(next_open(course, 3) == 0);
  CHECK(next_open({passed, provisional}, 0) == std::nullopt);
  CHECK(next_open({passed, failing}, 1) == std::nullopt);
  CHECK(next_open({}, std::nullopt) == std::nullopt);
}
