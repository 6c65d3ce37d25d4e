// The editor's room in the window: how much of the code is seen, and what makes way for it.
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstring>

#include "ui/look/widgets.hpp"
#include "ui/pages/opened.hpp"
#include "ui/pages/panels.hpp"
#include "ui/support/scripted_services.hpp"

namespace klab::ui {

TEST_CASE("The first look at the code in a low window shows eight lines of it", "[ui][editing]") {
  ScriptedServices services;
  Opened window(640, 480);
  window.session.use(services.both());
  window.session.apply(command::ShowPage{Page::code});
  for (int i = 0; i < 30; ++i) window.frame();  // until it asks
  CompileFacts facts{.number = static_cast<std::int64_t>(services.questions.size()),
                     .compute_capability = ComputeCapability{9, 0}};
  facts.kernels = {{.report = {.kernel = "scale_rows(Args)", .registers = 22},
                    .block_threads = 256,
                    .dynamic_shared_bytes = 1024}};
  add_occupancy(facts);
  services.answers.push_back(facts);
  window.settle();
  REQUIRE(window.page().state.facts.found);                              // two rows of it
  CHECK(window.editor_height() / theme().font.mono->FontSize >= 8 + 1);  // with the padding above
}

TEST_CASE("While one types, head and gates make room, and come back by Esc and by saving",
          "[ui][editing]") {
  struct Case {
    float width, height;
    int least_lines;
  };
  for (const Case& one : {Case{1280, 800, 29}, Case{640, 480, 18}}) {
    CAPTURE(one.width, one.height);
    Opened window(one.width, one.height);
    window.keys("F4");
    window.settle();
    const float before = window.editor_height();
    window.type("x");
    window.settle();
    const float during = window.editor_height();
    CHECK(during > before + 100);
    CHECK(during / theme().font.mono->FontSize >= static_cast<float>(one.least_lines));
    CHECK(window.model().window.typing);
    window.keys("Escape");
    window.settle();
    CHECK(window.editor_height() < before + 1);
    window.keys("F4");
    window.type("y");
    window.keys("Ctrl+S");
    window.settle();
    CHECK_FALSE(window.model().window.typing);
  }
  Opened tall(1280, 1000);
  tall.keys("F4");
  tall.type("x");
  CHECK_FALSE(code_makes_room(tall.model()));
}

TEST_CASE("A wide window shows 100 columns of code, and its border can be moved", "[ui][editing]") {
  for (const float width : {1920.0f, 2560.0f}) {
    CAPTURE(width);
    Opened window(width, 1080);
    window.session.apply(typed_over(std::string(100, 'x')));
    window.keys("F4 End");
    window.settle();
    const auto scrolled = [] {
      float most = 0;
      for (const ImGuiWindow* one : ImGui::GetCurrentContext()->Windows)
        most = std::max(most, one->Scroll.x);
      return most;
    };
    CHECK(scrolled() == 0);
    CHECK_FALSE(window.model().window.split);
    window.keys("Escape Alt+Left Alt+Left");
    REQUIRE(window.model().window.split);
    const float moved = *window.model().window.split;
    window.keys("Alt+Right");
    CHECK(*window.model().window.split > moved);
  }
}

TEST_CASE("The message of a line that is too long for its end stands in full below the code",
          "[ui][editing]") {
  Opened window;
  window.session.apply(typed_over(std::string(200, 'x') + "\n"));
  CheckResult failed = std::get<CheckResult>(recording("build_failed").events.back().event);
  window.session.apply(command::RunCheck{});
  window.session.apply(command::SettlePrediction{true});
  window.launcher.pending.push_back(failed);
  window.frame();
  REQUIRE_FALSE(window.page().messages.empty());
  window.session.apply(command::ShowPage{Page::code});
  watch_clipped_texts(true);
  window.settle();
  CHECK(clipped_texts().empty());
  watch_clipped_texts(false);
}

TEST_CASE("Find has a button for the mouse", "[ui][editing]") {
  Opened window;
  const auto& all = ImGui::GetCurrentContext()->Windows;
  const auto page = std::find_if(all.begin(), all.end(), [](ImGuiWindow* one) {
    return std::string_view(one->Name).find("/page_") != std::string_view::npos &&
           std::count(one->Name, one->Name + std::strlen(one->Name), '/') == 2;
  });
  REQUIRE(page != all.end());
  const ImGuiID button = (*page)->GetID("find");
  REQUIRE(std::count(drawn_controls().begin(), drawn_controls().end(), button) == 1);
  ImGui::ActivateItemByID(button);
  window.settle();
  CHECK(window.view().finding);
  window.type("row");  // it has the keyboard
  CHECK(window.view().needle == "row");
}

}  // namespace klab::ui
