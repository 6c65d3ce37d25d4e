// The list of labs: what it shows, and finding one by keyboard.
#include <imgui.h>

#include <catch2/catch_test_macros.hpp>

#include "ui/support/filled_journal.hpp"

namespace klab::ui {

TEST_CASE("The list of labs shows open, passed and checkable ones", "[ui][labs]") {
  OpenedJournal s;
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
  OpenedJournal s;
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

}  // namespace klab::ui
