// The list of labs: what it shows, and finding one by keyboard.
#include <imgui.h>
#include <imgui_internal.h>

#include <catch2/catch_test_macros.hpp>

#include "ui/model/lab_list.hpp"
#include "ui/replay/key_script.hpp"
#include "ui/support/filled_journal.hpp"

namespace klab::ui {

TEST_CASE("The list of labs shows open, passed and checkable ones", "[ui][labs]") {
  OpenedJournal s;
  NullBackend null(1280, 800, 1, Appearance::light);
  for (const LabShow show : {LabShow::all, LabShow::open, LabShow::passed, LabShow::checkable}) {
    s.session.apply(command::SetLabShow{show});
    check_frames(null, s.session);
  }
  CHECK_FALSE(s.model().checking_machine().device);
  Chosen chosen{
      .device = DeviceFacts{.name = "Fixture GPU", .compute_capability = ComputeCapability{9, 0}}};
  s.session.set_device(chosen);
  check_frames(null, s.session);
  const Checkable all = what_can_be_checked(s.model().labs[1].lab, s.model().checking_machine());
  CHECK(all.words == "time and counters");
  s.session.apply(command::SetBackend{Backend::simulator});
  CHECK(what_can_be_checked(s.model().labs[1].lab, s.model().checking_machine()).words ==
        "cause only, no time");
}

TEST_CASE("Counters that a check was refused are remembered for the list", "[ui][labs]") {
  OpenedJournal s;
  s.session.set_device(Chosen{
      .device = DeviceFacts{.name = "Fixture GPU", .compute_capability = ComputeCapability{9, 0}}});
  s.session.apply(command::RunCheck{});
  REQUIRE(s.launcher.started.size() == 1);
  s.launcher.pending.push_back(
      std::get<CheckResult>(recording("counters_refused").events.back().event));
  s.session.tick(1);
  REQUIRE(s.model().machine.counter_obstacle);
  CHECK(what_can_be_checked(s.model().labs[1].lab, s.model().checking_machine()).words ==
        "time only");
}

TEST_CASE("Ctrl+L, words and Enter open a lab; arrows go through the list", "[ui][labs]") {
  OpenedJournal s;
  NullBackend null(1280, 800, 1, Appearance::light);
  ImGuiIO& io = ImGui::GetIO();
  const auto draw = [&] { draw_and_apply(null, s.session); };
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
  CHECK(s.model().list.filter == "fusion");
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

TEST_CASE(
    "Twenty-nine labs are gone through by keyboard, also while one types, and the open one is "
    "in sight",
    "[ui][labs]") {
  const SampleCourse course;
  namespace fs = std::filesystem;
  for (int number = 6; number <= 29; ++number)
    for (const char* part : {"labs", "kernels", "solutions"}) {
      const auto name = (number < 10 ? "0" : "") + std::to_string(number) + "_more";
      fs::copy(course.root() / part / "01_divergence", course.root() / part / name,
               fs::copy_options::recursive);
    }
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  REQUIRE(session.model().labs.size() == 29);
  NullBackend null(1280, 800, 1, Appearance::light);
  const auto keys = [&](const std::string& names) {
    for (KeyScript script(names); !script.done(); draw_and_apply(null, session)) script.advance();
    for (int i = 0; i < 3; ++i) draw_and_apply(null, session);
  };
  session.apply(command::StartLab{});
  keys("F4");  // the keyboard is in the editor
  // The list goes by category: 01 and its copies, then 02 and 03, then 04 and 05.
  const std::vector<std::size_t> listed = listed_labs(session.model());
  REQUIRE(listed.size() == 29);
  CHECK(listed[1] == 5u);
  for (std::size_t i = 1; i < 29; ++i) {
    keys("Ctrl+PageDown");
    CHECK(session.model().current == listed[i]);
  }
  const auto list_scroll = [] {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (std::string_view(window->Name).find("/list_") != std::string_view::npos)
        return window->Scroll.y;
    return 0.0f;
  };
  CHECK(list_scroll() > 300);
  keys("Ctrl+PageDown");
  CHECK(session.model().current == listed.back());
  for (int i = 0; i < 28; ++i) keys("Ctrl+PageUp");
  CHECK(session.model().current == 0u);
  CHECK(list_scroll() < 100);
}

TEST_CASE("From lab to lab leaves out what the list does, also from one that it leaves out",
          "[ui][labs]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  session.apply(command::OpenLab{2});
  session.apply(command::SetFilter{"0"});
  CHECK(lab_beside(session.model(), 1) == 3u);
  CHECK(lab_beside(session.model(), -1) == 1u);
  session.apply(command::SetFilter{"sync"});
  CHECK(lab_beside(session.model(), 1) == 4u);
  CHECK_FALSE(lab_beside(session.model(), -1));
}

}  // namespace klab::ui
