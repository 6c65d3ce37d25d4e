// A tooltip stands where the pointer rests, until a key is pressed.
#include "ui/look/tooltip.hpp"

#include <imgui.h>

#include <catch2/catch_test_macros.hpp>

#include "ui/look/widgets.hpp"
#include "ui/support/null_backend.hpp"

namespace klab::ui {

TEST_CASE("A tooltip goes with a key and comes back with the pointer", "[ui][tooltip]") {
  NullBackend null(640, 480, 1, Appearance::light);
  const auto draw = [&] {
    return null.frame([] {
      follow_pointer();
      ImGui::SetNextWindowPos(ImVec2(0, 0));
      ImGui::SetNextWindowSize(ImVec2(640, 480));
      ImGui::Begin("window");
      ImGui::Dummy(ImVec2(400, 400));
      if (ImGui::IsItemHovered()) show_tooltip("What is pointed at.");
      ImGui::End();
    });
  };
  ImGuiIO& io = ImGui::GetIO();
  const auto settled = [&] {
    for (int i = 0; i < 3; ++i) draw();
    return draw();
  };
  const int without = settled();
  io.AddMousePosEvent(200, 200);
  CHECK(settled() > without);
  io.AddKeyEvent(ImGuiKey_A, true);
  draw();
  io.AddKeyEvent(ImGuiKey_A, false);
  CHECK(settled() == without);
  io.AddMousePosEvent(203, 200);
  CHECK(settled() > without);
  io.AddKeyEvent(ImGuiKey_LeftShift, true);  // which by itself types nothing
  CHECK(settled() > without);
}

}  // namespace klab::ui
