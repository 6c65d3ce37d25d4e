// FilledJournal: a workbook whose journal holds a bit of everything, and a session that shows it.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <string>

#include "core/base/sha256.hpp"
#include "core/journal/journal.hpp"
#include "ui/look/widgets.hpp"
#include "ui/support/fixture.hpp"
#include "ui/support/null_backend.hpp"

namespace klab::ui {

inline const std::string lab_id = "02-coalescing";

inline JournalEntry attempt(Outcome verdict, const std::string& source,
                            const std::string& conclusion) {
  JournalEntry entry{
      .kind = JournalEntry::Kind::attempt, .lab = lab_id, .variant = VariantName::mine};
  entry.date = "2026-11-21T03:00:00Z";
  entry.backend = Backend::gpu;
  entry.verdict = verdict;
  entry.conclusion = conclusion;
  entry.ratio = Interval{7.96, 7.94, 7.98};
  entry.source = source;
  entry.source_digest = sha256(source);
  entry.gates = {{.name = GateName::built, .subject = "nvcc", .outcome = Outcome::pass},
                 {.name = GateName::cause,
                  .subject = "global_load_sectors_per_request",
                  .outcome = verdict,
                  .measured = verdict == Outcome::pass ? 4 : 31.9,
                  .target = target_from("<= 4.5"),
                  .unit = "sectors",
                  .source = Source::measured}};
  return entry;
}

/// A workbook with a kernel and a journal of a prediction, two attempts, a note, and one attempt of
/// another lab.
struct FilledJournal {
  SampleCourse course;
  ScriptedLauncher launcher;
  std::filesystem::path workbook = course.root() / "workbook";
  std::filesystem::path kernel = workbook / "02_coalescing.cu";

  FilledJournal() {
    std::filesystem::create_directories(workbook);
    std::ofstream(kernel) << "// present work\n";
    const Journal journal(workbook);
    REQUIRE(
        journal.append({.kind = JournalEntry::Kind::prediction, .lab = lab_id, .answers = {2, 0}}));
    REQUIRE(journal.append(attempt(Outcome::fail, "// one\nint a;\n", "Right, but not faster.")));
    REQUIRE(journal.append(attempt(Outcome::pass, "// two\nfloat4 b;\n", "Passed.")));
    REQUIRE(journal.append(
        {.kind = JournalEntry::Kind::note, .lab = lab_id, .text = "Rows, then columns."}));
    JournalEntry other = attempt(Outcome::fail, "// elsewhere\n", "Not yet.");
    other.lab = "01-divergence";
    REQUIRE(journal.append(other));
  }
};

struct OpenedJournal : FilledJournal {
  Session session{course.tree(), launcher};
  OpenedJournal() {
    session.tick(0);
    session.apply(command::OpenLab{1});
    session.apply(command::ShowPage{Page::journal});
  }
  const Model& model() const { return session.model(); }
  const JournalPage& journal() const { return model().journal; }
  void search(const std::string& words, bool all_labs = false,
              std::optional<Outcome> verdict = {}) {
    session.apply(command::SearchJournal{{.words = words, .verdict = verdict}, all_labs});
  }
};

/// Draws some frames and checks that no two controls collide.
inline void check_frames(NullBackend& null, const Session& session) {
  for (int frame = 0; frame < 4; ++frame) {
    Commands commands;
    CHECK(null.frame([&] { draw_workbench(session.model(), commands); }) > 500);
    CHECK_FALSE(has_duplicates(drawn_controls()));
    CHECK(asks_nothing(commands));
  }
}

}  // namespace klab::ui
