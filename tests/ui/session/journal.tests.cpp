// The Journal page and the list of labs: what the learner does there, and every state drawn.
#include "core/journal/journal.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "core/course/workbook.hpp"
#include "support/well_formed.hpp"
#include "ui/model/gate_words.hpp"
#include "ui/support/filled_journal.hpp"

namespace klab::ui {
namespace {

using Catch::Matchers::ContainsSubstring;
using Kind = JournalEntry::Kind;

}  // namespace

TEST_CASE("The journal is searched by words, verdict and lab", "[ui][journal]") {
  OpenedJournal s;
  CHECK(s.journal().shown.size() == 4);
  CHECK(s.journal().entries[s.journal().shown.front()].kind == Kind::note);  // newest first
  s.search("FLOAT4");
  REQUIRE(s.journal().shown.size() == 1);
  CHECK(s.journal().entries[s.journal().shown[0]].verdict == Outcome::pass);
  s.search("", true);
  CHECK(s.journal().shown.size() == 5);
  s.search("", true, Outcome::fail);
  CHECK(s.journal().shown.size() == 2);
  s.search("", false, Outcome::fail);
  CHECK(s.journal().shown.size() == 1);
  s.session.apply(command::OpenLab{0});
  REQUIRE(s.journal().shown.size() == 1);
  CHECK(s.journal().entries[s.journal().shown[0]].lab == "01-divergence");
}

TEST_CASE("Two entries at most are chosen", "[ui][journal]") {
  OpenedJournal s;
  const auto chosen = [&] { return s.journal().chosen; };
  using Numbers = std::vector<std::int64_t>;
  s.session.apply(command::ChooseEntry{2});
  CHECK(chosen() == Numbers{2});
  s.session.apply(command::ChooseEntry{3, true});
  CHECK(chosen() == Numbers{2, 3});
  s.session.apply(command::ChooseEntry{4, true});
  CHECK(chosen() == Numbers{3, 4});
  s.session.apply(command::ChooseEntry{3, true});
  CHECK(chosen() == Numbers{4});
  s.session.apply(command::ChooseEntry{2});
  CHECK(chosen() == Numbers{2});
  const JournalEntry* second = s.journal().entry(3);
  REQUIRE(second);
  CHECK(s.journal().attempt_number(*second) == 2);
  // The list says by which number the comparison calls it.
  CHECK(s.journal().title_of(*second) == "Attempt 2");
  CHECK(s.journal().row_of(*second) == "Attempt 2: Passed.");
  REQUIRE(s.journal().attempt_before(*second));
  CHECK(s.journal().attempt_before(*second)->number == 2);
  CHECK(s.journal().attempt_before(*s.journal().entry(2)) == nullptr);
}

TEST_CASE("A restore keeps what was there and can be taken back", "[ui][journal]") {
  OpenedJournal s;
  s.session.apply(typed_over("// typed, not saved\n"));
  s.session.apply(command::RestoreEntry{2});
  CHECK(text_of(s.kernel) == "// one\nint a;\n");
  CHECK(s.model().page.kernels->mine.text == "// one\nint a;\n");
  CHECK_FALSE(s.model().page.draft);
  REQUIRE(s.journal().undo);
  CHECK(text_of(s.journal().undo->kept) == "// typed, not saved\n");
  CHECK(s.journal().entries.back().kind == Kind::restored);
  CHECK(s.journal().entries.back().of == 2);
  s.session.tick(1);
  CHECK(s.launcher.started.empty());  // our own change starts no check
  s.session.apply(command::UndoRestore{});
  CHECK(text_of(s.kernel) == "// typed, not saved\n");
  CHECK_FALSE(s.journal().undo);
  s.session.apply(command::RestoreEntry{4});  // a note holds no source
  CHECK(text_of(s.kernel) == "// typed, not saved\n");
  CHECK(s.model().window.notice->tone == Outcome::fail);
}

TEST_CASE("An attempt of another lab is restored to that lab", "[ui][journal]") {
  OpenedJournal s;
  s.session.apply(command::RestoreEntry{5});
  CHECK(text_of(s.workbook / "01_divergence.cu") == "// elsewhere\n");
  CHECK(text_of(s.kernel) == "// present work\n");
  CHECK_FALSE(s.journal().undo);  // there was nothing to keep
}

TEST_CASE("A note goes into the journal, and stays in its field if it cannot", "[ui][journal]") {
  OpenedJournal s;
  s.session.apply(command::EditNote{{edit::Type{"  \n"}}});
  s.session.apply(command::AddNote{});
  CHECK(s.journal().entries.size() == 5);
  s.session.apply(command::EditNote{{edit::Type{"Vector loads next."}}});
  s.session.apply(command::AddNote{});
  REQUIRE(s.journal().entries.size() == 6);
  CHECK(s.journal().entries.back().text == "Vector loads next.");
  CHECK(s.journal().drafts.at(lab_id).text().empty());

  std::filesystem::remove_all(s.workbook);
  std::ofstream(s.workbook) << "a file where the folder should be";
  s.session.apply(command::EditNote{{edit::Type{"Kept in the field."}}});
  s.session.apply(command::AddNote{});
  CHECK(s.journal().drafts.at(lab_id).text() == "Kept in the field.");
  CHECK(s.model().window.notice->tone == Outcome::fail);
  for (const bool page : {true, false}) {
    s.session.apply(command::ExportJournal{page});
    CHECK_THAT(s.model().window.notice->text, ContainsSubstring("Not exported"));
  }
  s.session.apply(command::RestoreEntry{2});
  CHECK_THAT(s.model().window.notice->text, ContainsSubstring("Not restored"));
}

TEST_CASE("A note that was being written is kept when the window closes", "[ui][journal]") {
  FilledJournal filled;
  {
    Session session(filled.course.tree(), filled.launcher);
    session.apply(command::OpenLab{1});
    session.apply(command::EditNote{{edit::Type{"Half a thought"}}});
    session.apply(command::OpenLab{0});
    session.apply(command::EditNote{{edit::Type{"Another one"}}});
  }
  const auto entries = Journal(filled.workbook).read()->entries;
  REQUIRE(entries.size() == 7);
  CHECK(entries[5].lab == "01-divergence");
  CHECK(entries[6].text == "Half a thought");
}

TEST_CASE("Exports are written into the workbook, and the notice says where", "[ui][journal]") {
  OpenedJournal s;
  s.session.apply(command::ExportJournal{true});
  s.session.apply(command::ExportJournal{false});
  CHECK_THAT(s.model().window.notice->text, ContainsSubstring((s.workbook / "journal-").string()));
  int pages = 0, texts = 0;
  for (const auto& file : std::filesystem::directory_iterator(s.workbook)) {
    if (file.path().extension() == ".html") {
      ++pages;
      CHECK(klab::test::MarkupReader::read(text_of(file.path())).problem.empty());
    }
    if (file.path().extension() == ".md") {
      ++texts;
      CHECK_THAT(text_of(file.path()), ContainsSubstring("Rows, then columns"));
    }
  }
  CHECK(pages == 1);
  CHECK(texts == 1);
}

TEST_CASE("What another program appends is shown, and a torn line harms nothing", "[ui][journal]") {
  OpenedJournal s;
  REQUIRE(Journal(s.workbook).append({.kind = Kind::note, .lab = lab_id, .text = "From outside"}));
  CHECK(s.session.tick(1));
  CHECK(s.journal().entries.size() == 6);
  std::ofstream(s.workbook / "journal.jsonl", std::ios::app) << "{\"kind\":\"att";
  CHECK(s.session.tick(2));
  CHECK(s.journal().entries.size() == 6);
  CHECK(s.journal().problems.size() == 1);
  s.session.apply(command::EditNote{{edit::Type{"After the torn line"}}});
  s.session.apply(command::AddNote{});
  CHECK(s.journal().entries.back().text == "After the torn line");
  CHECK(s.journal().problems.empty());
}

TEST_CASE("The Journal page draws in each of its states", "[ui][journal]") {
  OpenedJournal s;
  for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(1920, 1200), ImVec2(640, 480)}) {
    for (const Appearance look : {Appearance::light, Appearance::dark}) {
      CAPTURE(size.x);
      NullBackend null(size.x, size.y, 1, look);
      check_frames(null, s.session);
      s.search("", true);
      for (const std::int64_t number : {1, 2, 3, 4, 5}) {
        s.session.apply(command::ChooseEntry{number});
        check_frames(null, s.session);
      }
      s.session.apply(command::ChooseEntry{2, true});
      check_frames(null, s.session);
      s.session.apply(command::ChooseEntry{4, true});
      check_frames(null, s.session);
      s.search("nothing holds this");
      check_frames(null, s.session);
      s.search("");
    }
  }
  s.session.apply(command::RestoreEntry{2});
  std::ofstream(s.workbook / "journal.jsonl", std::ios::app) << "torn \033[2J\xff";
  s.session.tick(5);
  NullBackend null(1280, 800, 1, Appearance::light);
  check_frames(null, s.session);
  std::filesystem::remove(s.workbook / "journal.jsonl");
  std::filesystem::create_directory(s.workbook / "journal.jsonl");
  s.session.tick(10);
  CHECK(s.journal().unreadable.has_value());
  check_frames(null, s.session);
}

TEST_CASE("Ten thousand attempts are searched and drawn without a pause", "[ui][journal]") {
  SampleCourse course;
  const auto workbook = course.root() / "workbook";
  std::filesystem::create_directories(workbook);
  std::string source;
  while (source.size() < 2000) source += "  value += input[row * columns + threadIdx.x];\n";
  {
    std::ofstream file(workbook / "journal.jsonl");
    for (int i = 1; i <= 10000; ++i) {
      JournalEntry entry = attempt(Outcome::fail, source + std::to_string(i), "Not faster.");
      entry.number = i;
      file << encode(entry) << "\n";
    }
  }
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  session.apply(command::OpenLab{1});
  session.apply(command::ShowPage{Page::journal});
  session.apply(command::ChooseEntry{10000});
  session.apply(command::ChooseEntry{9000, true});
  REQUIRE(session.model().journal.shown.size() == 10000);
  NullBackend null(1280, 800, 1, Appearance::light);
  int vertices = 0;
  const auto draw = [&] {
    for (int i = 0; i < 4; ++i) {
      Commands commands;
      vertices = null.frame([&] { draw_workbench(session.model(), commands); });
    }
    return vertices;
  };
  // Only what is in sight is drawn: a hundred entries fill the list as well as ten thousand.
  const int of_all = draw();
  session.apply(command::SearchJournal{{.words = "threadidx.x];\n99"}, false});
  REQUIRE(session.model().journal.shown.size() < 1000);
  CHECK(of_all <= draw() * 1.2);
  session.apply(command::SearchJournal{{.words = "threadidx.x];\n9999"}, false});
  CHECK(session.model().journal.shown.size() == 1);
}

TEST_CASE("A lab that is opened again shows its last check", "[ui][journal]") {
  OpenedJournal s;
  REQUIRE(s.model().run() == nullptr);
  const JournalEntry* last = s.model().last_attempt();
  REQUIRE(last != nullptr);
  CHECK(last->conclusion == "Passed.");
  CHECK(last->date == "2026-11-21T03:00:00Z");
  const auto cells = gate_words(last->gates);
  CHECK(cells[0].outcome == Outcome::pass);
  CHECK(cells[3].value == "4 sectors");
  CHECK(cells[3].target == "wanted ≤ 4.5");
  // The journal keeps no sentences: what was seen and wanted is told from the numbers.
  CHECK(cells[3].more.find("4 sectors, wanted ≤ 4.5 (measured)") != std::string::npos);
  CHECK(cells[4].value == "not run");  // it was not judged then
  for (const Page page : {Page::lesson, Page::result}) {
    s.session.apply(command::ShowPage{page});
    NullBackend null(1280, 800, 1, Appearance::light);
    check_frames(null, s.session);
  }
  s.session.apply(command::OpenLab{0});
  REQUIRE(s.model().last_attempt() != nullptr);
  CHECK(s.model().last_attempt()->conclusion == "Not yet.");
  s.session.apply(command::OpenLab{2});
  CHECK(s.model().last_attempt() == nullptr);
}

TEST_CASE("After a pass the result says what limits the kernel and asks for a note",
          "[ui][journal]") {
  OpenedJournal s;
  s.session.apply(command::RunCheck{});
  s.launcher.pending.push_back(std::get<CheckResult>(recording("passed").events.back().event));
  s.session.tick(1);
  REQUIRE(s.model().entry()->progress.status == LabStatus::passed);
  s.session.apply(command::ShowPage{Page::result});
  NullBackend null(1280, 800, 1, Appearance::dark);
  check_frames(null, s.session);
  CHECK(s.journal().entries.back().gates.size() > 3);
}

TEST_CASE("Gates of an earlier kernel are told apart, before a check and behind one",
          "[ui][journal]") {
  OpenedJournal s;  // its kernel is none of the attempts
  CHECK(s.model().changed_since_check());
  s.session.apply(command::RestoreEntry{3});
  CHECK_FALSE(s.model().changed_since_check());
  s.session.apply(command::RunCheck{});
  REQUIRE(s.launcher.started.size() == 1);
  s.launcher.pending.push_back(std::get<CheckResult>(recording("slow").events.back().event));
  s.session.tick(1);
  CHECK_FALSE(s.model().changed_since_check());
  s.session.apply(command::SetWatch{false});
  s.session.apply(typed_over("// another\n"));
  CHECK_FALSE(s.model().changed_since_check());  // not saved yet
  s.session.apply(command::SaveCode{});
  CHECK(s.model().changed_since_check());
}

}  // namespace klab::ui
