// The window's rules, without a window.
#include <imgui.h>

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "core/course/workbook.hpp"
#include "ui/model/gate_words.hpp"
#include "ui/session/session.hpp"
#include "ui/support/fixture.hpp"
#include "ui/support/null_backend.hpp"

namespace klab::ui {
namespace {

CheckResult result_of(const std::string& name) {
  return std::get<CheckResult>(recording(name).events.back().event);
}

void save(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::app) << text;
}

/// A session on the second lab, started, with its questions answered.
struct Started {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session{course.tree(), launcher};
  std::filesystem::path file;

  Started() {
    session.tick(0);
    session.apply(command::OpenLab{1});
    session.apply(command::StartLab{});
    file = workbook_file(*session.model().lab());
    session.apply(command::RunCheck{});
    session.apply(command::AnswerPrediction{0, 2});
    session.apply(command::AnswerPrediction{1, 1});
    session.apply(command::SettlePrediction{false});
  }
};

}  // namespace

TEST_CASE("A check that is asked for early says how many questions are open", "[ui][session]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  session.apply(command::OpenLab{1});
  session.apply(command::RunCheck{});
  session.apply(command::RunCheck{});
  REQUIRE(session.model().window.notice);
  CHECK(session.model().window.notice->text.starts_with("2 questions are still open."));
  session.apply(command::AnswerPrediction{1, 1});
  CHECK_FALSE(session.model().window.notice);
  CHECK(session.model().page.prediction.open_question() == 0);
  session.apply(command::AnswerPrediction{0, 1});
  CHECK(session.model().page.prediction.open_question() == 2);
  CHECK(launcher.started.empty());
  session.apply(command::RunCheck{});
  CHECK(launcher.started.size() == 1);
  CHECK(session.model().page.prediction.answered() == 2);
}

TEST_CASE("The first check waits for a prediction, which may be skipped", "[ui][session]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  session.apply(command::OpenLab{1});
  session.apply(command::RunCheck{});
  CHECK(std::filesystem::exists(workbook_file(*session.model().lab())));
  CHECK(session.model().window.asking_prediction);
  CHECK(launcher.started.empty());
  session.apply(command::SettlePrediction{true});
  CHECK(launcher.started.size() == 1);
  CHECK(session.model().page.prediction.skipped);
  CHECK(session.model().checks.running_lab == "02-coalescing");
}

TEST_CASE("Starting copies the kernel and asks what to expect, by button as by key",
          "[ui][session]") {
  for (const Command& start : {Command(command::StartLab{}), Command(command::RunCheck{})}) {
    SampleCourse course;
    ScriptedLauncher launcher;
    Session session(course.tree(), launcher);
    session.apply(command::OpenLab{1});
    session.apply(start);
    CHECK(std::filesystem::exists(workbook_file(*session.model().lab())));
    CHECK(session.model().window.asking_prediction);
    session.apply(command::CancelPrediction{});
    CHECK(session.model().window.shown_page == Page::code);
    CHECK(launcher.started.empty());
  }
}

TEST_CASE("A save that checks nothing says why", "[ui][session]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  const auto said = [&](const std::string& words) {
    const auto& notice = session.model().window.notice;
    return notice && notice->text.find(words) != std::string::npos;
  };
  session.apply(command::OpenLab{1});
  session.apply(command::StartLab{});
  session.apply(command::CancelPrediction{});
  session.apply(typed_over("// first\n"));
  session.apply(command::SaveCode{});
  CHECK(launcher.started.empty());
  CHECK(said("F5 asks first what you expect"));
  session.apply(command::SettlePrediction{true});
  CHECK(launcher.started.size() == 1);
  session.apply(command::OpenLab{0});
  session.apply(command::StartLab{});
  session.apply(command::SettlePrediction{true});
  session.apply(typed_over("// second\n"));
  session.apply(command::SaveCode{});
  CHECK(said("Not checked yet. The check of 02-coalescing has to end first. Then press F5."));
  CHECK(launcher.started.size() == 1);
}

TEST_CASE("A replayed check shows its result and leaves the learner's journal alone",
          "[ui][session]") {
  Started s;
  s.launcher.pending.push_back(result_of("passed"));
  s.session.tick(1);
  const std::size_t entries = s.session.model().journal.entries.size();
  s.session.set_replaying("a test");
  s.session.replay_now();
  s.launcher.pending.push_back(result_of("slow"));
  s.session.tick(2);
  CHECK(s.session.model().run()->result->verdict == Outcome::fail);
  CHECK(s.session.model().journal.entries.size() == entries);
}

TEST_CASE("A digit answers the first open question", "[ui][session]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  session.apply(command::OpenLab{1});
  session.apply(command::RunCheck{});
  const auto& answers = session.model().page.prediction.answers;
  NullBackend null(1280, 800, 1, Appearance::light);
  for (const ImGuiKey key : {ImGuiKey_3, ImGuiKey_1, ImGuiKey_2})
    for (const bool down : {true, false}) {
      ImGui::GetIO().AddKeyEvent(key, down);
      draw_and_apply(null, session);
    }
  REQUIRE(answers.size() == 2);
  CHECK(answers == std::vector<std::optional<int>>{2, 0});
}

TEST_CASE("Text keeps a size that can be read and leaves room for the rest", "[ui][session]") {
  Started s;
  s.session.apply(command::SetZoom{99});
  CHECK(s.session.model().window.zoom == 2.5f);
  s.session.apply(command::SetZoom{0});
  CHECK(s.session.model().window.zoom == 0.7f);
}

TEST_CASE("A result ends the run, moves the lab's state and is kept in the journal",
          "[ui][session]") {
  Started s;
  REQUIRE(s.launcher.started.size() == 1);
  CHECK(s.launcher.started.front().source == s.file);
  s.launcher.pending.push_back(result_of("passed"));
  CHECK(s.session.tick(1));
  const Model& model = s.session.model();
  CHECK_FALSE(model.running());
  CHECK(model.entry()->progress.status == LabStatus::passed);
  CHECK(model.journal.entries.back().kind == JournalEntry::Kind::attempt);
  CHECK(model.journal.entries.back().answers == std::vector<int>{2, 1});
  CHECK(model.page.kernels->optimized.absent.empty());  // the optimized kernel opens
  CHECK(model.occupancy.measured->registers_per_thread == 24);
}

TEST_CASE("A pass opens explanation and solution at once", "[ui][session]") {
  Started s;
  CHECK(s.session.model().page.explanation.empty());
  s.session.apply(command::Fulfilled{Wish::lesson_head});
  s.launcher.pending.push_back(result_of("passed"));
  s.session.tick(1);
  CHECK_FALSE(s.session.model().page.explanation.empty());
  const auto& wishes = s.session.model().window.wishes;
  CHECK(wishes.contains(Wish::lesson_head));  // it is in sight once the lesson is shown
  s.session.apply(command::Fulfilled{Wish::lesson_head});
  CHECK_FALSE(wishes.contains(Wish::lesson_head));
  s.session.apply(command::ShowExplanation{});
  CHECK(s.session.model().window.shown_page == Page::lesson);
  CHECK(wishes.contains(Wish::lesson_head));
}

TEST_CASE("Without a GPU all that can be checked opens them too, and says that time is missing",
          "[ui][session]") {
  Started s;
  CheckResult counted = result_of("passed");
  counted.verdict = Outcome::not_checkable;
  for (Gate& gate : counted.gates)
    if (gate.name == GateName::time || gate.name == GateName::same_work)
      gate.outcome = Outcome::not_checkable;
  CHECK(verdict_title(counted) == "Passed provisionally");
  s.launcher.pending.push_back(counted);
  s.session.tick(1);
  const Model& model = s.session.model();
  CHECK(model.entry()->progress.status == LabStatus::provisional);
  CHECK_FALSE(model.page.explanation.empty());
  CHECK(model.page.kernels->optimized.absent.empty());
}

TEST_CASE("Giving up asks first, opens the solution and is noted", "[ui][session]") {
  Started s;
  s.launcher.pending.push_back(result_of("slow"));
  s.session.tick(1);
  s.session.apply(command::GiveUp{.sure = false});
  const Model& model = s.session.model();
  CHECK(model.page.confirming_solution);
  CHECK_FALSE(model.page.kernels->optimized.absent.empty());
  s.session.apply(command::KeepTrying{});
  CHECK_FALSE(model.page.confirming_solution);
  s.session.apply(command::GiveUp{.sure = true});
  CHECK(model.page.kernels->optimized.absent.empty());
  CHECK_FALSE(model.page.explanation.empty());
  CHECK(model.journal.entries.back().kind == JournalEntry::Kind::solution);
  CHECK(model.entry()->progress.status == LabStatus::failing);
}

TEST_CASE("What another program opened is open here too", "[ui][session]") {
  Started s;
  const Journal journal(workbook_folder(s.course.root()));
  REQUIRE(journal.append({.kind = JournalEntry::Kind::solution, .lab = "02-coalescing"}));
  s.session.tick(1);
  CHECK_FALSE(s.session.model().page.explanation.empty());
}

TEST_CASE("A failed build puts the compiler's messages at their lines", "[ui][session]") {
  Started s;
  s.launcher.pending.push_back(result_of("build_failed"));
  s.session.tick(1);
  REQUIRE(s.session.model().page.messages.size() == 2);
  CHECK(s.session.model().page.messages.front().line == 12);
  s.session.apply(command::GoToLine{12});
  CHECK(s.session.model().window.shown_page == Page::code);
  CHECK(s.session.model().page.goto_line == 12);
  CHECK(s.session.model().page.document.line() == 12);
}

TEST_CASE("Saving the file checks again, and a save during a check starts over", "[ui][session]") {
  Started s;
  s.launcher.pending.push_back(result_of("slow"));
  s.session.tick(1);
  save(s.file, "// a change\n");
  CHECK(s.session.tick(2));
  REQUIRE(s.launcher.started.size() == 2);
  save(s.file, "// one more change\n");
  s.session.tick(3);
  CHECK(s.launcher.canceled == 1);
  CheckResult stopped;
  stopped.errors.push_back(make_error(ErrorCode::canceled, "The check was stopped."));
  const std::size_t entries = s.session.model().journal.entries.size();
  s.launcher.pending.push_back(stopped);
  s.session.tick(4);
  CHECK(s.launcher.started.size() == 3);
  CHECK(s.session.model().journal.entries.size() == entries);  // a stopped check is no attempt
  s.session.apply(command::SetWatch{false});
  s.launcher.pending.push_back(result_of("slow"));
  s.session.tick(5);
  save(s.file, "// unwatched\n");
  s.session.tick(6);
  CHECK(s.launcher.started.size() == 3);
}

TEST_CASE("A run belongs to its lab while another lab is looked at", "[ui][session]") {
  Started s;
  s.session.apply(command::OpenLab{0});
  CHECK(s.session.model().run() == nullptr);
  s.launcher.pending.push_back(result_of("passed"));
  s.session.tick(1);
  CHECK(s.session.model().labs[1].progress.status == LabStatus::passed);
  CHECK(s.session.model().entry()->progress.status == LabStatus::not_started);
}

TEST_CASE("Hints come one at a time and are remembered", "[ui][session]") {
  Started s;
  s.session.apply(command::ShowPage{Page::code});
  for (int i = 0; i < 5; ++i) {  // also when there is no further one
    s.session.apply(command::ShowHint{});
    CHECK(s.session.model().window.wishes.contains(Wish::last_hint));
    s.session.apply(command::Fulfilled{Wish::last_hint});
  }
  CHECK(s.session.model().window.shown_page == Page::lesson);  // where they are to be read
  CHECK(s.session.model().entry()->progress.hints_shown == 3);
  ScriptedLauncher other;
  Session again(s.course.tree(), other);
  again.apply(command::OpenLab{1});
  CHECK(again.model().entry()->progress.hints_shown == 3);
  CHECK(again.model().page.prediction.settled);
}

TEST_CASE("What is typed in the window is saved by a check and by saving, not by closing",
          "[ui][session]") {
  SampleCourse course;
  std::filesystem::path file;
  const auto on_disk = [&] {
    std::ifstream stream(file);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  {
    ScriptedLauncher launcher;
    Session session(course.tree(), launcher);
    session.apply(command::OpenLab{1});
    session.apply(command::StartLab{});
    session.apply(command::CancelPrediction{});
    file = workbook_file(*session.model().lab());
    session.apply(typed_over("// first\n"));
    CHECK(on_disk() != "// first\n");
    session.apply(command::RunCheck{});
    CHECK(on_disk() == "// first\n");
    session.apply(command::SettlePrediction{true});
    CHECK(launcher.started.size() == 1);
    launcher.pending.push_back(result_of("slow"));
    session.tick(1);
    CHECK(launcher.started.size() == 1);  // our own save is no change to react to
    session.apply(typed_over("// second\n"));
    session.apply(command::SaveCode{});
    CHECK(on_disk() == "// second\n");
    CHECK(launcher.started.size() == 2);
    session.apply(typed_over("// third\n"));
  }
  CHECK(on_disk() == "// second\n");
  ScriptedLauncher launcher;
  Session again(course.tree(), launcher);
  again.apply(command::OpenLab{1});
  CHECK(again.model().page.draft == "// third\n");
  CHECK(again.model().window.notice->text.find("did not save") != std::string::npos);
}

TEST_CASE("Two editors lose nothing to each other", "[ui][session]") {
  Started s;
  s.session.apply(typed_over("// typed here\n"));
  save(s.file, "// saved there\n");
  s.session.tick(1);
  CHECK(s.session.model().page.changed_on_disk);
  CHECK(s.session.model().page.draft == "// typed here\n");
  s.session.apply(command::SaveCode{});
  std::size_t kept = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(s.course.root() / "workbook"))
    if (entry.is_regular_file() && entry.path() != s.file) {
      std::ifstream stream(entry.path());
      const std::string text(std::istreambuf_iterator<char>(stream), {});
      kept += text.find("// saved there") != std::string::npos;
    }
  CHECK(kept >= 1);
}

TEST_CASE("A workbook that cannot be written is told, not fatal", "[ui][session]") {
  SampleCourse course;
  std::ofstream(course.root() / "workbook") << "a file where the folder should be";
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  session.apply(command::OpenLab{1});
  session.apply(command::RunCheck{});
  CHECK(session.model().window.notice.has_value());
  CHECK(launcher.started.empty());
}

TEST_CASE("What lies in the place of the kernel is told, and nothing is checked", "[ui][session]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  session.apply(command::OpenLab{1});
  std::filesystem::create_directories(workbook_file(*session.model().lab()));
  session.apply(command::RunCheck{});
  REQUIRE(session.model().window.notice);
  CHECK(session.model().window.notice->text.find("is a folder") != std::string::npos);
  CHECK(launcher.started.empty());
}

TEST_CASE("Closing during a check that hangs ends its thread at once", "[ui][session]") {
  std::atomic<int> woken = 0;
  std::atomic<bool> told_to_end = false;
  {
    WorkLauncher launcher(
        {.check =
             [&](const CheckRequest&, const OnCheckEvent& tell, const std::atomic<bool>& canceled) {
               tell({.phase = Phase::verify, .text = "started"});
               while (!canceled) std::this_thread::sleep_for(std::chrono::milliseconds(1));
               told_to_end = true;
               return CheckResult{};
             }},
        [&] { ++woken; });
    launcher.start({.tree = Tree{}});
    while (woken == 0) std::this_thread::yield();
    CHECK(launcher.busy());
    CHECK(launcher.drain().size() == 1);
  }
  CHECK(told_to_end);  // and waited for: its thread is gone
}

}  // namespace klab::ui
