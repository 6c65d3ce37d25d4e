// What outlives the window: its look, and what was typed and never saved.
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cstdlib>
#include <fstream>

#include "core/course/workbook.hpp"
#include "support/mutations.hpp"
#include "ui/app/settings.hpp"
#include "ui/session/draft_store.hpp"
#include "ui/session/session.hpp"
#include "ui/support/fixture.hpp"

namespace klab::ui {
namespace {

namespace fs = std::filesystem;

/// A course whose drafts may not leave it.
struct Course {
  SampleCourse files;
  Course() { ::setenv("XDG_STATE_HOME", (files.root() / "state").c_str(), 1); }
  ~Course() { ::unsetenv("XDG_STATE_HOME"); }
  fs::path root() const { return files.root(); }
  Tree tree() const { return files.tree(); }
  /// A plain file where the workbook's folder was: nothing can be written there, even by root.
  void block_workbook() const {
    fs::rename(root() / "workbook", root() / "moved");
    std::ofstream(root() / "workbook") << "in the way";
  }
};

void begin_second_lab(Session& session) {
  session.tick(0);
  session.apply(command::OpenLab{1});
  session.apply(command::StartLab{});
}

}  // namespace

TEST_CASE("The window's look is remembered", "[ui][settings]") {
  const SampleCourse course;
  CHECK(read_settings(course.root()) == Settings{});
  const Settings settings{true, 1.3f, "02-coalescing", 1600, 900, 0.625f};
  REQUIRE(write_settings(course.root(), settings));
  CHECK(read_settings(course.root()) == settings);
}

TEST_CASE("A broken or hostile settings file is as good as none", "[ui][settings]") {
  const SampleCourse course;
  const auto file = course.root() / "workbook" / "window.json";
  fs::create_directories(file.parent_path());
  for (const std::string& text :
       {std::string("{"), std::string("[]"), std::string("null"), std::string(100'000, '['),
        std::string(R"({"dark":"yes","zoom":"x","lab":7,"width":[],"height":{}})"),
        std::string(R"({"zoom":1e300,"width":1,"height":1})"), std::string(R"({"width":1280})"),
        std::string(200'000, ' ')}) {
    std::ofstream(file, std::ios::trunc) << text;
    CHECK(read_settings(course.root()) == Settings{});
  }
  std::ofstream(file, std::ios::trunc) << R"({"dark":true,"zoom":99,"lab":"x"})";
  CHECK(read_settings(course.root()).dark == true);
  CHECK_FALSE(read_settings(course.root()).zoom);
}

TEST_CASE("Whatever the settings file holds, what is taken from it can be remembered",
          "[ui][settings]") {
  const SampleCourse course;
  const auto file = course.root() / "workbook" / "window.json";
  REQUIRE(write_settings(course.root(), {true, 1.3f, "02-coalescing", 1600, 900, 0.625f}));
  test::for_mutations({text_of(file)}, 300, [&](const std::string& text) {
    std::ofstream(file, std::ios::trunc) << text;
    const Settings settings = read_settings(course.root());
    if (settings.zoom) CHECK((*settings.zoom >= 0.5f && *settings.zoom <= 4.0f));
    if (settings.width) CHECK((*settings.width >= 640 && *settings.width <= 7680));
    REQUIRE(write_settings(course.root(), settings));
    REQUIRE(read_settings(course.root()).width == settings.width);
  });
}

TEST_CASE("What is typed is kept after a pause, and comes back after a crash", "[ui][draft]") {
  const Course course;
  {
    ScriptedLauncher launcher;
    auto* session = new Session(course.tree(), launcher);  // never destroyed: a crash
    begin_second_lab(*session);
    session->apply(typed_over("// typed and lost?\n"));
    session->tick(0.3);
    CHECK_FALSE(kept_draft(*session->model().lab()));  // not on every key
    session->tick(2);
    CHECK(kept_draft(*session->model().lab())->text == "// typed and lost?\n");
  }
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  session.apply(command::OpenLab{1});
  CHECK(session.model().page.draft == "// typed and lost?\n");
  CHECK(session.model().window.notice.has_value());
  session.apply(command::SaveCode{});
  CHECK(text_of(workbook_file(*session.model().lab())) == "// typed and lost?\n");
  CHECK_FALSE(kept_draft(*session.model().lab()));
}

TEST_CASE("Leaving a lab or the window saves nothing, keeps the draft, and says where",
          "[ui][draft]") {
  const Course course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  begin_second_lab(session);
  const fs::path file = workbook_file(*session.model().lab());
  const std::string saved = text_of(file);
  session.apply(typed_over("// unsaved\n"));
  session.apply(command::OpenLab{0});
  session.apply(command::OpenLab{1});
  CHECK(session.model().page.draft == "// unsaved\n");
  session.apply(command::EditCode{{edit::Undo{}}});  // the history came along
  CHECK(session.model().page.document.text() == saved);
  CHECK_FALSE(session.model().page.draft);
  session.apply(command::EditCode{{edit::Redo{}}});
  session.apply(command::Quit{});
  CHECK(session.wants_to_quit());
  CHECK(text_of(file) == saved);
  CHECK(session.farewell().find("02-coalescing is not saved") != std::string::npos);
  CHECK(session.farewell().find("drafts/02_coalescing.cu") != std::string::npos);
}

TEST_CASE("A draft older than the saved file keeps both when it is saved", "[ui][draft]") {
  const Course course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  begin_second_lab(session);
  const Lab lab = *session.model().lab();
  const auto kept = keep_draft(lab, "// older draft\n", "");
  REQUIRE(kept);
  fs::last_write_time(kept->path, fs::file_time_type::clock::now() - std::chrono::hours(1));
  std::ofstream(workbook_file(lab)) << "// newer file\n";
  session.apply(command::OpenLab{0});
  session.apply(command::OpenLab{1});
  CHECK(session.model().page.changed_on_disk);
  session.apply(command::SaveCode{});
  CHECK(text_of(workbook_file(lab)) == "// older draft\n");
  int both = 0;
  for (const auto& entry : fs::recursive_directory_iterator(course.root() / "workbook"))
    both += entry.is_regular_file() && text_of(entry.path()) == "// newer file\n";
  CHECK(both == 1);
}

TEST_CASE("What two windows hold of one lab is kept for both, whichever saves or ends first",
          "[ui][draft]") {
  const Course course;
  ScriptedLauncher launcher;
  Session a(course.tree(), launcher), b(course.tree(), launcher);
  begin_second_lab(a);
  begin_second_lab(b);
  const auto type = [](Session& session, const char* text, double now_s) {
    session.apply(typed_over(text));
    session.tick(now_s);
  };
  const auto is_kept = [&](const std::string& text) {
    for (const auto& entry : fs::recursive_directory_iterator(course.root() / "workbook"))
      if (entry.is_regular_file() && text_of(entry.path()) == text) return true;
    return false;
  };
  type(a, "// in window A\n", 2);
  type(b, "// in window B\n", 2);
  CHECK(is_kept("// in window A\n"));
  CHECK(b.model().window.notice->text.find("Another window") != std::string::npos);
  a.apply(command::SaveCode{});  // B's draft is not A's to forget
  CHECK(text_of(workbook_file(*a.model().lab())) == "// in window A\n");
  CHECK(kept_draft(*b.model().lab())->text == "// in window B\n");
  type(a, "// again in A\n", 6);
  b.apply(command::Quit{});
  CHECK(is_kept("// again in A\n"));
  CHECK(is_kept("// in window B\n"));
}

TEST_CASE("A workbook that vanished is made again by saving", "[ui][draft]") {
  const Course course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  begin_second_lab(session);
  session.apply(typed_over("// survives\n"));
  fs::remove_all(course.root() / "workbook");
  session.tick(1);
  session.apply(command::SaveCode{});
  CHECK(text_of(workbook_file(*session.model().lab())) == "// survives\n");
}

TEST_CASE("Where the workbook cannot be written, the draft goes elsewhere and comes back",
          "[ui][draft]") {
  const Course course;
  {
    ScriptedLauncher launcher;
    Session session(course.tree(), launcher);
    begin_second_lab(session);
    session.apply(typed_over("// typed on a full disk\n"));
    course.block_workbook();
    session.apply(command::OpenLab{0});  // leaving the lab keeps it
    CHECK(session.model().lab()->id == "01-divergence");
    CHECK(session.model().window.notice->text.find("it is kept") != std::string::npos);
    session.apply(command::Quit{});
    CHECK(session.wants_to_quit());
    CHECK(session.farewell().empty());
  }
  fs::remove(course.root() / "workbook");
  fs::rename(course.root() / "moved", course.root() / "workbook");
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  session.apply(command::OpenLab{1});
  CHECK(session.model().page.draft == "// typed on a full disk\n");
}

TEST_CASE("Two copies of the course do not share what was typed and kept elsewhere",
          "[ui][draft]") {
  const Course one;
  const SampleCourse other;
  ScriptedLauncher launcher;
  Session session(one.tree(), launcher);
  begin_second_lab(session);
  one.block_workbook();
  REQUIRE(keep_draft(*session.model().lab(), "// typed here\n", ""));
  Session elsewhere(other.tree(), launcher);
  begin_second_lab(elsewhere);
  CHECK_FALSE(kept_draft(*elsewhere.model().lab()));
  CHECK(kept_draft(*session.model().lab())->text == "// typed here\n");
}

TEST_CASE("Where nothing can be written at all, leaving is refused and quitting asks twice",
          "[ui][draft]") {
  const Course course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  begin_second_lab(session);
  session.apply(typed_over("// in danger\n"));
  course.block_workbook();
  std::ofstream(course.root() / "state") << "in the way";
  session.apply(command::OpenLab{0});
  CHECK(session.model().lab()->id == "02-coalescing");
  CHECK(session.model().page.draft == "// in danger\n");
  session.apply(command::Quit{});
  CHECK_FALSE(session.wants_to_quit());
  CHECK(session.model().window.notice->text.find("quit once more") != std::string::npos);
  session.apply(command::Quit{});
  CHECK(session.wants_to_quit());
}

TEST_CASE("Answers that are not given for good come back after other labs and after any end",
          "[ui][draft][prediction]") {
  const Course course;
  const auto answers_in = [](const Session& session) {
    return session.model().page.prediction.answers;
  };
  std::vector<std::optional<int>> given;
  {
    ScriptedLauncher launcher;
    auto* session = new Session(course.tree(), launcher);  // never destroyed: a crash
    begin_second_lab(*session);
    REQUIRE(session->model().window.asking_prediction);
    session->apply(command::AnswerPrediction{0, 1});
    given = answers_in(*session);
    session->apply(command::OpenLab{0});
    session->apply(command::OpenLab{1});
    CHECK(answers_in(*session) == given);
  }
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  session.apply(command::OpenLab{1});
  CHECK(answers_in(session) == given);
  CHECK_FALSE(session.model().page.prediction.settled);
  session.apply(command::AnswerPrediction{0, std::nullopt});  // taken back
  CHECK(kept_answers(*session.model().lab()) == Answers(given.size()));
  session.apply(command::AnswerPrediction{0, 0});
  // What was kept elsewhere is no excuse for losing it.
  course.block_workbook();
  session.apply(command::AnswerPrediction{0, 1});
  CHECK(kept_answers(*session.model().lab()) == given);
  session.apply(command::SettlePrediction{true});  // the journal cannot be written
  CHECK(kept_answers(*session.model().lab()) == given);
}

TEST_CASE("Answers in the journal are kept nowhere else, and hostile ones are none",
          "[ui][draft][prediction]") {
  const Course course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  begin_second_lab(session);
  const Lab lab = *session.model().lab();
  session.apply(command::AnswerPrediction{0, 1});
  session.apply(command::SettlePrediction{false});
  const fs::path file = course.root() / "workbook" / "drafts" / (lab.folder + ".answers");
  CHECK_FALSE(fs::exists(file));
  for (const std::string& text : {std::string("99999999999999999999\n"), std::string("-7 900\n"),
                                  std::string("x"), std::string("\0\n", 2), std::string()}) {
    std::ofstream(file) << text;
    CHECK(kept_answers(lab) == Answers(lab.predictions.size()));
  }
}

}  // namespace klab::ui
