// The Journal page and the list of labs: what the learner does there, and every state drawn.
#include "core/journal.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <ctime>
#include <fstream>
#include <iterator>

#include "core/sha256.hpp"
#include "core/workbook.hpp"
#include "desktop.hpp"
#include "fixture.hpp"
#include "null_backend.hpp"
#include "support/well_formed.hpp"
#include "ui/session.hpp"
#include "ui/widgets.hpp"
#include "ui/workbench_view.hpp"

namespace klab::ui {
namespace {

using Catch::Matchers::ContainsSubstring;
using Kind = JournalEntry::Kind;

const std::string lab_id = "02-coalescing";

std::string read(const std::filesystem::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

JournalEntry attempt(Outcome verdict, const std::string& source, const std::string& conclusion) {
  JournalEntry entry{.kind = Kind::attempt, .lab = lab_id, .variant = "mine"};
  entry.date = "2026-11-21T03:00:00Z";
  entry.backend = "gpu";
  entry.verdict = verdict;
  entry.conclusion = conclusion;
  entry.ratio = Interval{7.96, 7.94, 7.98};
  entry.source = source;
  entry.source_digest = sha256(source);
  entry.gates = {{.name = "built", .subject = "nvcc", .outcome = Outcome::pass},
                 {.name = "cause",
                  .subject = "global_load_sectors_per_request",
                  .outcome = verdict,
                  .measured = verdict == Outcome::pass ? 4 : 31.9,
                  .target = "<= 4.5",
                  .unit = "sectors",
                  .source = Source::measured}};
  return entry;
}

/// A workbook with a kernel and a journal of a prediction, two attempts, a note, and one attempt of
/// another lab.
struct Filled {
  SampleCourse course;
  ScriptedLauncher launcher;
  std::filesystem::path workbook = course.root() / "workbook";
  std::filesystem::path kernel = workbook / "02_coalescing.cu";

  Filled() {
    std::filesystem::create_directories(workbook);
    std::ofstream(kernel) << "// present work\n";
    const Journal journal(workbook);
    REQUIRE(journal.append({.kind = Kind::prediction, .lab = lab_id, .answers = {2, 0}}));
    REQUIRE(journal.append(attempt(Outcome::fail, "// one\nint a;\n", "Right, but not faster.")));
    REQUIRE(journal.append(attempt(Outcome::pass, "// two\nfloat4 b;\n", "Passed.")));
    REQUIRE(journal.append({.kind = Kind::note, .lab = lab_id, .text = "Rows, then columns."}));
    JournalEntry other = attempt(Outcome::fail, "// elsewhere\n", "Not yet.");
    other.lab = "01-divergence";
    REQUIRE(journal.append(other));
  }
};

struct Opened : Filled {
  Session session{course.root(), launcher};
  Opened() {
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
void check_frames(NullBackend& null, const Session& session) {
  for (int frame = 0; frame < 4; ++frame) {
    Commands commands;
    CHECK(null.frame([&] { draw_workbench(session.model(), commands); }) > 500);
    CHECK_FALSE(has_duplicates(drawn_controls()));
    CHECK(commands.empty());
  }
}

}  // namespace

TEST_CASE("The journal is searched by words, verdict and lab", "[ui][journal]") {
  Opened s;
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
  Opened s;
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
  REQUIRE(s.journal().attempt_before(*second));
  CHECK(s.journal().attempt_before(*second)->number == 2);
  CHECK(s.journal().attempt_before(*s.journal().entry(2)) == nullptr);
}

TEST_CASE("A restore keeps what was there and can be taken back", "[ui][journal]") {
  Opened s;
  s.session.apply(command::EditCode{"// typed, not saved\n"});
  s.session.apply(command::RestoreEntry{2});
  CHECK(read(s.kernel) == "// one\nint a;\n");
  CHECK(s.model().page.code.front().text == "// one\nint a;\n");
  CHECK_FALSE(s.model().page.draft);
  REQUIRE(s.journal().undo);
  CHECK(read(s.journal().undo->kept) == "// typed, not saved\n");
  CHECK(s.journal().entries.back().kind == Kind::restored);
  CHECK(s.journal().entries.back().of == 2);
  s.session.tick(1);
  CHECK(s.launcher.started.empty());  // our own change starts no check
  s.session.apply(command::UndoRestore{});
  CHECK(read(s.kernel) == "// typed, not saved\n");
  CHECK_FALSE(s.journal().undo);
  s.session.apply(command::RestoreEntry{4});  // a note holds no source
  CHECK(read(s.kernel) == "// typed, not saved\n");
  CHECK(s.model().notice->tone == Outcome::fail);
}

TEST_CASE("An attempt of another lab is restored to that lab", "[ui][journal]") {
  Opened s;
  s.session.apply(command::RestoreEntry{5});
  CHECK(read(s.workbook / "01_divergence.cu") == "// elsewhere\n");
  CHECK(read(s.kernel) == "// present work\n");
  CHECK_FALSE(s.journal().undo);  // there was nothing to keep
}

TEST_CASE("A note goes into the journal, and stays in its field if it cannot", "[ui][journal]") {
  Opened s;
  s.session.apply(command::EditNote{"  \n"});
  s.session.apply(command::AddNote{});
  CHECK(s.journal().entries.size() == 5);
  s.session.apply(command::EditNote{"Vector loads next."});
  s.session.apply(command::AddNote{});
  REQUIRE(s.journal().entries.size() == 6);
  CHECK(s.journal().entries.back().text == "Vector loads next.");
  CHECK(s.journal().drafts.at(lab_id).empty());

  std::filesystem::remove_all(s.workbook);
  std::ofstream(s.workbook) << "a file where the folder should be";
  s.session.apply(command::EditNote{"Kept in the field."});
  s.session.apply(command::AddNote{});
  CHECK(s.journal().drafts.at(lab_id) == "Kept in the field.");
  CHECK(s.model().notice->tone == Outcome::fail);
  for (const bool page : {true, false}) {
    s.session.apply(command::ExportJournal{page});
    CHECK_THAT(s.model().notice->text, ContainsSubstring("Not exported"));
  }
  s.session.apply(command::RestoreEntry{2});
  CHECK_THAT(s.model().notice->text, ContainsSubstring("Not restored"));
}

TEST_CASE("A note that was being written is kept when the window closes", "[ui][journal]") {
  Filled filled;
  {
    Session session(filled.course.root(), filled.launcher);
    session.apply(command::OpenLab{1});
    session.apply(command::EditNote{"Half a thought"});
    session.apply(command::OpenLab{0});
    session.apply(command::EditNote{"Another one"});
  }
  const auto entries = Journal(filled.workbook).read()->entries;
  REQUIRE(entries.size() == 7);
  CHECK(entries[5].lab == "01-divergence");
  CHECK(entries[6].text == "Half a thought");
}

TEST_CASE("Exports are written into the workbook, and the notice says where", "[ui][journal]") {
  Opened s;
  s.session.apply(command::ExportJournal{true});
  s.session.apply(command::ExportJournal{false});
  CHECK_THAT(s.model().notice->text, ContainsSubstring((s.workbook / "journal-").string()));
  int pages = 0, texts = 0;
  for (const auto& file : std::filesystem::directory_iterator(s.workbook)) {
    if (file.path().extension() == ".html") {
      ++pages;
      CHECK(klab::test::MarkupReader::read(read(file.path())).problem.empty());
    }
    if (file.path().extension() == ".md") {
      ++texts;
      CHECK_THAT(read(file.path()), ContainsSubstring("Rows, then columns"));
    }
  }
  CHECK(pages == 1);
  CHECK(texts == 1);
}

TEST_CASE("What another program appends is shown, and a torn line harms nothing", "[ui][journal]") {
  Opened s;
  REQUIRE(Journal(s.workbook).append({.kind = Kind::note, .lab = lab_id, .text = "From outside"}));
  CHECK(s.session.tick(1));
  CHECK(s.journal().entries.size() == 6);
  std::ofstream(s.workbook / "journal.jsonl", std::ios::app) << "{\"kind\":\"att";
  CHECK(s.session.tick(2));
  CHECK(s.journal().entries.size() == 6);
  CHECK(s.journal().problems.size() == 1);
  s.session.apply(command::EditNote{"After the torn line"});
  s.session.apply(command::AddNote{});
  CHECK(s.journal().entries.back().text == "After the torn line");
  CHECK(s.journal().problems.empty());
}

TEST_CASE("The Journal page draws in each of its states", "[ui][journal]") {
  Opened s;
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
  Session session(course.root(), launcher);
  session.apply(command::OpenLab{1});
  session.apply(command::ShowPage{Page::journal});
  session.apply(command::ChooseEntry{10000});
  session.apply(command::ChooseEntry{9000, true});
  REQUIRE(session.model().journal.shown.size() == 10000);
  // Processor time: other programs on this machine must not decide.
  const auto timed = [](const auto& act) {
    const std::clock_t began = std::clock();
    act();
    return static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  };
  const double search_s = timed([&] {
    session.apply(command::SearchJournal{{.words = "threadidx.x];\n9999"}, false});
  });
  CHECK(session.model().journal.shown.size() == 1);
  INFO("search " << search_s << " s");
  CHECK(search_s < 0.05);
  session.apply(command::SearchJournal{{}, false});
  NullBackend null(1280, 800, 1, Appearance::light);
  const auto frame = [&] {
    Commands commands;
    null.frame([&] { draw_workbench(session.model(), commands); });
  };
  for (int i = 0; i < 4; ++i) frame();
  double longest_s = 0;
  for (int i = 0; i < 10; ++i) longest_s = std::max(longest_s, timed(frame));
  INFO("longest frame " << longest_s << " s");
  // A build without optimization is several times slower than what learners run.
  CHECK(longest_s < 0.1);
}

TEST_CASE("The list of labs shows open, passed and checkable ones", "[ui][labs]") {
  Opened s;
  NullBackend null(1280, 800, 1, Appearance::light);
  for (const LabShow show : {LabShow::all, LabShow::open, LabShow::passed, LabShow::checkable}) {
    s.session.apply(command::SetLabShow{show});
    check_frames(null, s.session);
  }
  CHECK_FALSE(s.model().machine().device);
  Chosen chosen{.device = DeviceFacts{.name = "Fixture GPU", .compute_capability = 90}};
  s.session.set_device(chosen);
  check_frames(null, s.session);
  const Checkable all = what_can_be_checked(s.model().labs[1].lab, s.model().machine());
  CHECK(all.words == "time and counters");
  s.session.apply(command::SetBackend{Backend::simulator});
  CHECK(what_can_be_checked(s.model().labs[1].lab, s.model().machine()).words ==
        "cause only, no time");
}

TEST_CASE("Counters that a check was refused are remembered for the list", "[ui][labs]") {
  Opened s;
  s.session.set_device(
      Chosen{.device = DeviceFacts{.name = "Fixture GPU", .compute_capability = 90}});
  s.session.apply(command::RunCheck{});
  REQUIRE(s.launcher.started.size() == 1);
  s.launcher.pending.push_back(
      std::get<CheckResult>(recording("counters_refused").events.back().event));
  s.session.tick(1);
  REQUIRE(s.model().counter_obstacle);
  CHECK(what_can_be_checked(s.model().labs[1].lab, s.model().machine()).words == "time only");
}

TEST_CASE("Ctrl+L, words and Enter open a lab; arrows go through the list", "[ui][labs]") {
  Opened s;
  NullBackend null(1280, 800, 1, Appearance::light);
  ImGuiIO& io = ImGui::GetIO();
  const auto draw = [&] {
    Commands commands;
    null.frame([&] { draw_workbench(s.session.model(), commands); });
    for (const Command& command : commands) s.session.apply(command);
  };
  const auto press = [&](ImGuiKey key) {
    io.AddKeyEvent(key, true);
    draw();
    io.AddKeyEvent(key, false);
    draw();
    draw();
  };
  draw();
  io.AddKeyEvent(ImGuiMod_Ctrl, true);
  io.AddKeyEvent(ImGuiKey_LeftCtrl, true);
  press(ImGuiKey_L);
  io.AddKeyEvent(ImGuiMod_Ctrl, false);
  io.AddKeyEvent(ImGuiKey_LeftCtrl, false);
  draw();
  io.AddInputCharactersUTF8("fusion");
  draw();
  draw();
  CHECK(s.model().filter == "fusion");
  press(ImGuiKey_Enter);
  CHECK(s.model().lab()->id == "04-fusion");
  s.session.apply(command::SetFilter{""});
  s.session.apply(command::FindLab{});
  draw();
  draw();
  for (int i = 0; i < 4; ++i) press(ImGuiKey_DownArrow);
  press(ImGuiKey_Enter);
  CHECK(s.model().lab()->id != "04-fusion");
}

TEST_CASE("After a pass the result says what limits the kernel and asks for a note",
          "[ui][journal]") {
  Opened s;
  s.session.apply(command::RunCheck{});
  s.launcher.pending.push_back(std::get<CheckResult>(recording("passed").events.back().event));
  s.session.tick(1);
  REQUIRE(s.model().entry()->progress.status == LabStatus::passed);
  s.session.apply(command::ShowPage{Page::result});
  NullBackend null(1280, 800, 1, Appearance::dark);
  check_frames(null, s.session);
  CHECK(s.journal().entries.back().gates.size() > 3);
}

TEST_CASE("In a real window the journal is searched, compared, restored and noted",
          "[ui][window][journal]") {
  Filled filled;
  setenv("KLAB_ROOT", filled.course.root().c_str(), 1);
  Desktop desktop;
  REQUIRE(desktop.usable());
  Child window(
      workbench({"--lab", "2", "--page", "journal", "--scale", "1", "--size", "1280x800"}));
  REQUIRE(desktop.title_holds("02-coalescing"));
  std::this_thread::sleep_for(500ms);
  const auto journal = [&] { return read(filled.workbook / "journal.jsonl"); };
  const auto holds = [&](const std::string& words) {
    for (int i = 0; i < 60; ++i) {
      if (journal().find(words) != std::string::npos) return true;
      std::this_thread::sleep_for(100ms);
    }
    return false;
  };
  // A click right after the layout changed may miss; none of these does harm twice.
  const auto click_until = [&](ImVec2 at, const std::string& kernel) {
    for (int i = 0; i < 10 && read(filled.kernel) != kernel; ++i) {
      desktop.click(static_cast<int>(at.x), static_cast<int>(at.y));
      std::this_thread::sleep_for(500ms);
    }
    return read(filled.kernel) == kernel;
  };
  const auto type = [](const std::string& words) {
    output_of("xdotool type --delay 40 '" + words + "'");
    std::this_thread::sleep_for(500ms);
  };
  // A note, kept with Ctrl+Enter, which elsewhere would check the kernel.
  desktop.click(780, 645);
  type("By hand");
  desktop.key("ctrl+Return");
  CHECK(holds("\"text\":\"By hand\""));
  // A search leaves one attempt, which is looked at and restored.
  desktop.click(600, 266);
  type("float4");
  desktop.click(700, 361);
  std::this_thread::sleep_for(500ms);
  CHECK(click_until({420, 566}, "// two\nfloat4 b;\n"));
  CHECK(holds("\"restored\""));
  // Both attempts beside each other, and the older one restored from there.
  desktop.click(600, 266);
  for (int i = 0; i < 6; ++i) desktop.key("BackSpace");
  type("attempt");
  desktop.click(342, 395);
  std::this_thread::sleep_for(500ms);
  CHECK(click_until({413, 577}, "// one\nint a;\n"));
  CHECK(click_until({390, 476}, "// two\nfloat4 b;\n"));  // taken back
  desktop.key("ctrl+q");
  CHECK(window.wait(5s) == 0);
  unsetenv("KLAB_ROOT");
}

}  // namespace klab::ui
