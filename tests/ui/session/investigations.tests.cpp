// The window's rules for investigations: when they run, and to which lab their findings belong.
#include <catch2/catch_test_macros.hpp>

#include "ui/session/session.hpp"
#include "ui/support/fixture.hpp"

namespace klab::ui {

TEST_CASE("What a recording found is shown without being asked for", "[ui][session]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  session.apply(command::OpenLab{1});
  session.set_replaying("A fixture");
  session.show_recorded(
      {.kind = InvestigationKind::roofline, .lab = "02-coalescing", .found = Roofline{}});
  CHECK(session.model().investigation(InvestigationKind::roofline) != nullptr);
  CHECK(session.model().investigation(InvestigationKind::sweep) == nullptr);
  CHECK(launcher.investigated.empty());
  CHECK_FALSE(session.model().running());
}

TEST_CASE("An investigation runs beside no check, is told, and its finding stays with its lab",
          "[ui][session]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  const std::string lab = session.model().lab()->id;
  session.apply(command::Investigate{InvestigationKind::roofline});
  REQUIRE(launcher.investigated.size() == 1);
  CHECK(launcher.investigated[0].variants[0].name == VariantName::flawed);
  CHECK(session.model().running());
  session.apply(command::Investigate{InvestigationKind::timeline});
  CHECK(launcher.investigated.size() == 1);

  launcher.pending.push_back(CheckEvent{.phase = OwnPhase::build, .text = "Building"});
  session.tick(1);
  CHECK(session.model().investigations.running->text == "Building");
  Investigation found{.kind = InvestigationKind::roofline, .lab = lab};
  found.errors.push_back(make_error(ErrorCode::no_device, "There is no GPU."));
  launcher.pending.push_back(found);
  session.tick(2);
  CHECK_FALSE(session.model().running());
  REQUIRE(session.model().investigation(InvestigationKind::roofline));
  CHECK(session.model().investigation(InvestigationKind::roofline)->errors.size() == 1);
  session.apply(command::OpenLab{1});
  CHECK(session.model().investigation(InvestigationKind::roofline) == nullptr);
}

TEST_CASE("A stopped investigation leaves what was found before", "[ui][session]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  session.apply(command::Investigate{InvestigationKind::sweep});
  session.apply(command::StopCheck{});
  CHECK(launcher.canceled == 1);
  Investigation stopped{.kind = InvestigationKind::sweep};
  stopped.errors.push_back(make_error(ErrorCode::canceled, "The investigation was stopped."));
  launcher.pending.push_back(stopped);
  session.tick(1);
  CHECK_FALSE(session.model().running());
  CHECK(session.model().investigation(InvestigationKind::sweep) == nullptr);
}

}  // namespace klab::ui
