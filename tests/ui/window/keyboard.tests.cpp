// Everything can be reached and done with the keyboard alone.
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <set>

#include "ui/app/workbench_view.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/panels.hpp"
#include "ui/replay/replay_launcher.hpp"
#include "ui/session/session.hpp"
#include "ui/support/fixture.hpp"
#include "ui/support/null_backend.hpp"

namespace klab::ui {
namespace {

/// A window without a display that takes keys.
struct Keyboard {
  SampleCourse course;
  ReplayLauncher launcher{recording("passed"), [] { return 0.0; }, 0};
  Session session{course.tree(), launcher};
  NullBackend null{1280, 800, 1, Appearance::light};

  void frame() {
    Commands commands;
    null.frame([&] { draw_workbench(session.model(), commands); });
    for (const Command& command : commands) session.apply(command);
    session.tick(session.model().now_s + 1.0 / 60);
  }
  void press(std::initializer_list<ImGuiKey> chord) {
    for (const bool down : {true, false}) {
      for (const ImGuiKey key : chord) ImGui::GetIO().AddKeyEvent(key, down);
      frame();
      frame();
    }
  }
};

bool ring_is_drawn() { return ImGui::GetForegroundDrawList()->VtxBuffer.Size > 0; }

}  // namespace

TEST_CASE("A ring shows where the keyboard is, and goes once the mouse is used", "[ui][keyboard]") {
  Keyboard keyboard;
  keyboard.frame();
  CHECK_FALSE(ring_is_drawn());
  for (int i = 0; i < 3; ++i) keyboard.press({ImGuiKey_Tab});
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  REQUIRE(ring_is_drawn());
  // Around the control, not over it.
  const ImRect control = ImGui::WindowRectRelToAbs(g.NavWindow, g.NavWindow->NavRectRel[0]);
  ImRect ring(ImVec2(1e6f, 1e6f), ImVec2(-1e6f, -1e6f));
  for (const ImDrawVert& corner : ImGui::GetForegroundDrawList()->VtxBuffer) ring.Add(corner.pos);
  CHECK(ring.Contains(control));
  CHECK(ring.GetWidth() < control.GetWidth() + 20);
  ImGui::GetIO().AddMousePosEvent(640, 400);
  keyboard.frame();
  ImGui::GetIO().AddMouseButtonEvent(0, true);
  keyboard.frame();
  ImGui::GetIO().AddMouseButtonEvent(0, false);
  for (int i = 0; i < 3; ++i) keyboard.frame();
  CHECK_FALSE(ring_is_drawn());
}

TEST_CASE("Tab goes through every control of every page, and comes round", "[ui][keyboard]") {
  const Page page = GENERATE(Catch::Generators::from_range(all_pages));
  CAPTURE(to_string(page));
  Keyboard keyboard;
  keyboard.session.apply(command::OpenLab{1});
  keyboard.session.apply(command::ShowPage{page});
  // With words in it, so that the note can be kept: a button that does nothing is passed over.
  keyboard.session.apply(command::EditNote{{edit::Type{"words"}}});
  for (int i = 0; i < 4; ++i) keyboard.frame();
  std::set<ImGuiID> wanted(drawn_controls().begin(), drawn_controls().end());
  wanted.erase(0);
  REQUIRE(wanted.size() > 10);
  std::set<ImGuiID> reached;
  int unmarked = 0;
  for (std::size_t i = 0; i < wanted.size() * 2 + 20; ++i) {
    keyboard.press({ImGuiKey_Tab});
    const ImGuiID focus = ImGui::GetCurrentContext()->NavId;
    if (reached.insert(focus).second && wanted.contains(focus)) unmarked += !ring_is_drawn();
  }
  CHECK(unmarked == 0);
  std::size_t missed = 0;
  for (const ImGuiID id : wanted) missed += !reached.contains(id);
  CAPTURE(wanted.size(), reached.size());
  CHECK(missed == 0);
}

TEST_CASE("Each page has a key of its own", "[ui][keyboard]") {
  Keyboard keyboard;
  keyboard.frame();
  const ImGuiKey digits[] = {ImGuiKey_1, ImGuiKey_2, ImGuiKey_3, ImGuiKey_4, ImGuiKey_5,
                             ImGuiKey_6, ImGuiKey_7, ImGuiKey_8, ImGuiKey_9, ImGuiKey_0};
  static_assert(std::size(digits) == std::size(all_pages));
  for (std::size_t i = 0; i < std::size(all_pages); ++i) {
    CAPTURE(to_string(all_pages[i]));
    keyboard.press({ImGuiKey_LeftAlt, digits[i]});
    CHECK(keyboard.session.model().window.shown_page == all_pages[i]);
  }
}

TEST_CASE("A long page is scrolled by PageDown, End and Home, wherever the focus is",
          "[ui][keyboard]") {
  Keyboard keyboard;
  keyboard.session.apply(command::OpenLab{1});
  keyboard.session.replay_now();
  for (int i = 0; i < 6; ++i) keyboard.frame();
  const auto scrolled = [] {
    float most = 0;
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      most = std::max(most, window->Scroll.y);
    return most;
  };
  CHECK(scrolled() == 0);
  keyboard.press({ImGuiKey_Tab});
  keyboard.press({ImGuiKey_Tab});  // past the field that takes words
  const ImGuiID focus = ImGui::GetCurrentContext()->NavId;
  keyboard.press({ImGuiKey_PageDown});
  CHECK(scrolled() > 100);
  CHECK(ImGui::GetCurrentContext()->NavId == focus);
  keyboard.press({ImGuiKey_PageUp});
  CHECK(scrolled() == 0);
  keyboard.press({ImGuiKey_PageDown});
  const float one_page = scrolled();
  keyboard.press({ImGuiKey_End});
  CHECK(scrolled() > one_page);
  keyboard.press({ImGuiKey_Home});
  CHECK(scrolled() == 0);
  CHECK(ImGui::GetCurrentContext()->NavId == focus);
}

TEST_CASE("A lab that is opened begins at its head, wherever the last one stood",
          "[ui][keyboard]") {
  Keyboard keyboard;
  keyboard.session.apply(command::OpenLab{1});
  keyboard.session.apply(command::ShowHint{});
  for (int i = 0; i < 6; ++i) keyboard.frame();
  const auto lesson = [] {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (window->WasActive && std::string(window->Name).find("/page_") != std::string::npos)
        return window->Scroll.y;
    return -1.0f;
  };
  for (int i = 0; i < 5; ++i) keyboard.press({ImGuiKey_PageDown});
  REQUIRE(lesson() > 0);
  keyboard.session.apply(command::OpenLab{2});
  for (int i = 0; i < 6; ++i) keyboard.frame();
  CHECK(lesson() == 0);
  keyboard.session.apply(command::OpenLab{1});
  for (int i = 0; i < 6; ++i) keyboard.frame();
  CHECK(lesson() == 0);
}

TEST_CASE("Present mode takes its keys, and nothing else does meanwhile", "[ui][keyboard]") {
  Keyboard keyboard;
  keyboard.frame();
  const Model& model = keyboard.session.model();
  keyboard.press({ImGuiKey_P});
  REQUIRE(model.presentation);
  CHECK_FALSE(model.window.full_screen);
  keyboard.press({ImGuiKey_Space});
  CHECK(model.presentation->place.revealed);
  keyboard.press({ImGuiKey_Space});
  CHECK(model.presentation->place.slide == Slide::flaw);
  keyboard.press({ImGuiKey_3});
  CHECK(model.presentation->place.lab == 2);
  keyboard.press({ImGuiKey_9});
  CHECK(model.presentation->place.lab == 2);
  keyboard.press({ImGuiKey_End});
  CHECK(model.presentation->place.slide == Slide::ratio);
  keyboard.press({ImGuiKey_R});
  CHECK(model.presentation->place.revealed);
  keyboard.press({ImGuiKey_Home});
  CHECK(model.presentation->place.slide == Slide::question);
  keyboard.press({ImGuiKey_F5});
  CHECK_FALSE(model.running());
  keyboard.press({ImGuiKey_F1});
  CHECK(model.window.help_open);
  keyboard.press({ImGuiKey_Escape});
  CHECK_FALSE(model.window.help_open);
  REQUIRE(model.presentation);
  keyboard.press({ImGuiKey_F11});
  CHECK(model.window.full_screen);
  keyboard.press({ImGuiKey_Escape});
  CHECK_FALSE(model.presentation);
  CHECK_FALSE(model.window.full_screen);
  keyboard.press({ImGuiKey_F11});
  CHECK(model.presentation);
  CHECK(model.window.full_screen);
}

}  // namespace klab::ui
