// While one lab is checked, another is looked at.
#include <imgui.h>

#include <catch2/catch_test_macros.hpp>

#include "core/course/workbook.hpp"
#include "ui/support/fixture.hpp"
#include "ui/support/null_backend.hpp"

namespace klab::ui {
namespace {

/// The second lab is being checked, and the first one is open.
struct Elsewhere {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session{course.tree(), launcher};
  NullBackend null{1280, 800, 1, Appearance::light};

  Elsewhere() {
    session.apply(command::OpenLab{1});
    session.apply(command::StartLab{});
    session.apply(command::SettlePrediction{true});
    session.apply(command::OpenLab{0});
  }
  const Model& model() const { return session.model(); }
  bool is_said(const std::string& words) const {
    return model().window.notice && model().window.notice->text.find(words) != std::string::npos;
  }
  void press(ImGuiKey key) {
    for (const bool down : {true, false}) {
      ImGui::GetIO().AddKeyEvent(key, down);
      draw_and_apply(null, session);
    }
  }
};

}  // namespace

TEST_CASE("Esc stops the check of the lab on the screen, and no other", "[ui][session]") {
  Elsewhere e;
  REQUIRE(e.model().checks.running_lab == "02-coalescing");
  e.press(ImGuiKey_Escape);
  CHECK(e.launcher.canceled == 0);
  e.session.apply(command::Notify{"A sentence"});
  e.press(ImGuiKey_Escape);
  CHECK_FALSE(e.model().window.notice);
  CHECK(e.launcher.canceled == 0);
  e.session.apply(command::OpenLab{1});
  e.press(ImGuiKey_Escape);
  CHECK(e.launcher.canceled == 1);
  CHECK(e.model().run()->canceling);
}

TEST_CASE("A lab can be started while another one is checked", "[ui][session]") {
  Elsewhere e;
  SECTION("by the button") { e.session.apply(command::StartLab{}); }
  SECTION("by the key") { e.press(ImGuiKey_F5); }
  CHECK(learner_file(*e.model().lab()) == LearnerFile::unchanged);
  CHECK(e.model().window.asking_prediction);
  CHECK_FALSE(e.model().window.notice);
  e.session.apply(command::SettlePrediction{true});
  CHECK_FALSE(e.model().window.asking_prediction);
  CHECK(e.is_said("Not checked yet. The check of 02-coalescing has to end first."));
  CHECK(e.launcher.started.size() == 1);
}

TEST_CASE("Asking for a check while another lab is checked says why none begins", "[ui][session]") {
  Elsewhere e;
  e.session.apply(command::StartLab{});
  e.session.apply(command::SettlePrediction{true});
  e.session.apply(command::DismissNotice{});
  e.press(ImGuiKey_F5);
  CHECK(e.is_said("The check of 02-coalescing has to end first."));
  CHECK(e.launcher.started.size() == 1);
  e.session.apply(command::OpenLab{1});
  e.session.apply(command::DismissNotice{});
  e.press(ImGuiKey_F5);
  CHECK_FALSE(e.model().window.notice);  // its own check is in sight
}

}  // namespace klab::ui
