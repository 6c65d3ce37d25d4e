// A course of twenty-nine labs: the list, the keys and the slides have room for all of them.
#include <imgui_internal.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <fstream>
#include <regex>

#include "ui/look/widgets.hpp"
#include "ui/model/lab_list.hpp"
#include "ui/pages/panels.hpp"
#include "ui/support/fixture.hpp"
#include "ui/support/null_backend.hpp"

namespace klab::ui {
namespace {

namespace fs = std::filesystem;

constexpr int all_labs = 29;

/// Copies of one lab under other numbers and names, some of them passed.
struct LargeCourse {
  SampleCourse course;

  LargeCourse() {
    const std::string facts = text_of(course.root() / "labs/02_coalescing/lab.toml");
    const char* categories[] = {"compute", "memory", "overhead", "communication"};
    std::string journal;
    for (int number = 6; number <= all_labs; ++number) {
      const std::string two = (number < 10 ? "0" : "") + std::to_string(number);
      const std::string folder = two + "_copy_" + two;
      for (const char* part : {"labs", "kernels", "solutions"})
        if (fs::exists(course.root() / part / "02_coalescing"))
          fs::copy(course.root() / part / "02_coalescing", course.root() / part / folder,
                   fs::copy_options::recursive);
      std::string own = std::regex_replace(
          facts, std::regex("title = \"[^\"]*\""),
          "title = \"A lab with a rather long title, number " + std::to_string(number) + "\"");
      own = std::regex_replace(own, std::regex("category = \"[^\"]*\""),
                               std::string("category = \"") + categories[number % 4] + "\"");
      std::ofstream(course.root() / "labs" / folder / "lab.toml") << own;
      if (number % 3 == 0)
        journal += R"({"kind":"attempt","number":)" + std::to_string(number) + R"(,"lab":")" + two +
                   "-copy-" + two + R"(","variant":"mine","backend":"gpu","verdict":"pass",)" +
                   R"("date":"2026-11-21T03:00:00Z"})" + "\n";
    }
    fs::create_directories(course.root() / "workbook");
    std::ofstream(course.root() / "workbook" / "journal.jsonl") << journal;
  }
};

/// The window of such a course, without a display.
struct LargeWindow {
  LargeCourse large;
  ScriptedLauncher launcher;
  Session session{large.course.tree(), launcher};
  NullBackend null;

  LargeWindow(float width, float height) : null(width, height, 1, Appearance::light) {
    REQUIRE(session.model().broken.empty());
    REQUIRE(session.model().labs.size() == all_labs);
  }
  void frames(int count = 4) {
    for (int i = 0; i < count; ++i) draw_and_apply(null, session);
  }
  void press(std::initializer_list<ImGuiKey> chord) {
    for (const bool down : {true, false}) {
      for (const ImGuiKey key : chord) ImGui::GetIO().AddKeyEvent(key, down);
      frames(2);
    }
  }
  const Model& model() const { return session.model(); }
};

/// The region of the window that scrolls the labs.
const ImGuiWindow* list_of_labs() {
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (std::string(window->Name).find("/list_") != std::string::npos) return window;
  return nullptr;
}

}  // namespace

TEST_CASE("Twenty-nine labs are listed, none cut, and the open one is in sight",
          "[ui][labs][large]") {
  const ImVec2 size = GENERATE(ImVec2(640, 480), ImVec2(1280, 800));
  CAPTURE(size.x);
  LargeWindow window(size.x, size.y);
  float last_scroll = 0;
  for (std::size_t i = 0; i < all_labs; ++i) {
    window.session.apply(command::OpenLab{i});
    // In a narrow window the list covers the page while it is open.
    if (size.x < 900) window.session.apply(command::ToggleLabs{});
    window.frames();
    CAPTURE(window.model().lab()->id);
    watch_clipped_texts(true);
    window.frames(1);
    for (const std::string& text : clipped_texts()) FAIL_CHECK(text);
    watch_clipped_texts(false);
    CHECK_FALSE(has_duplicates(drawn_controls()));
    REQUIRE(list_of_labs() != nullptr);
    last_scroll = std::max(last_scroll, list_of_labs()->Scroll.y);
  }
  // The list is longer than the window, and followed the lab that was opened.
  CHECK(list_of_labs()->ScrollMax.y > 100);
  CHECK(last_scroll > 100);
}

TEST_CASE("The open lab stays in sight when the list grows or the window shrinks",
          "[ui][labs][large]") {
  LargeWindow window(1280, 800);
  const auto at_end = [] {
    const ImGuiWindow* list = list_of_labs();
    REQUIRE(list != nullptr);
    return list->ScrollMax.y > 100 && list->Scroll.y > list->ScrollMax.y - 100;
  };
  // Categories stand in the order of their first labs.
  std::vector<std::string> categories;
  std::size_t last = 0;
  for (std::size_t i = 0; i < all_labs; ++i) {
    const std::string& category = window.model().labs[i].lab.category;
    if (std::find(categories.begin(), categories.end(), category) == categories.end())
      categories.push_back(category);
    if (category == categories.back()) last = i;
  }
  window.session.apply(command::OpenLab{last});
  window.frames();
  CHECK(at_end());
  // What this machine can check stands below each title, once it is found out.
  const float before = list_of_labs()->ScrollMax.y;
  window.session.set_device(Chosen{.simulator = true, .device = {.simulated = true}});
  window.frames();
  CHECK(list_of_labs()->ScrollMax.y > before);
  CHECK(at_end());
  // Who scrolls away is left where he is.
  ImGui::SetScrollY(const_cast<ImGuiWindow*>(list_of_labs()), 0);
  window.frames();
  CHECK(list_of_labs()->Scroll.y == 0);
}

TEST_CASE("Every one of twenty-nine labs is reached by its number, and by going on",
          "[ui][labs][large][present]") {
  LargeWindow window(1280, 800);
  window.frames();
  const std::vector<std::size_t> listed = listed_labs(window.model());
  REQUIRE(listed.size() == std::size_t{all_labs});
  window.session.apply(command::OpenLab{listed.front()});
  for (std::size_t i = 1; i < all_labs; ++i) {
    window.press({ImGuiKey_LeftCtrl, ImGuiKey_PageDown});
    CHECK(window.model().current == listed[i]);
  }
  for (const int number : {3, 12, 20, 29, 9}) {
    CAPTURE(number);
    ImGui::GetIO().AddKeyEvent(ImGuiKey_LeftCtrl, true);
    window.frames(2);
    for (const char digit : std::to_string(number))
      window.press({static_cast<ImGuiKey>(ImGuiKey_0 + (digit - '0'))});
    ImGui::GetIO().AddKeyEvent(ImGuiKey_LeftCtrl, false);
    window.frames(2);
    CHECK(window.model().current == static_cast<std::size_t>(number - 1));
  }
  CHECK(window.model().window.zoom == 1);
  window.press({ImGuiKey_P});
  REQUIRE(window.model().presentation);
  for (const int number : {3, 12, 29, 10, 7}) {
    CAPTURE(number);
    ImGui::GetIO().DeltaTime = 5;  // a pause: a new number begins
    window.frames(2);
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    for (const char digit : std::to_string(number))
      window.press({static_cast<ImGuiKey>(ImGuiKey_0 + (digit - '0'))});
    CHECK(window.model().presentation->place.lab == static_cast<std::size_t>(number - 1));
  }
  // There is no lab 97: 9 leads to lab 9, and 7 begins anew.
  ImGui::GetIO().DeltaTime = 5;
  window.frames(2);
  ImGui::GetIO().DeltaTime = 1.0f / 60;
  window.press({ImGuiKey_9});
  CHECK(window.model().presentation->place.lab == 8);
  window.press({ImGuiKey_7});
  CHECK(window.model().presentation->place.lab == 6);
}

TEST_CASE("A lab is reached by its number in a course that lacks some", "[ui][labs][large]") {
  SampleCourse course;
  for (const char* part : {"labs", "kernels", "solutions"})
    if (fs::exists(course.root() / part / "04_fusion"))
      fs::rename(course.root() / part / "04_fusion", course.root() / part / "23_fusion");
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  REQUIRE(session.model().labs.size() == 5);
  NullBackend null(1280, 800, 1, Appearance::light);
  const auto opened = [&](const std::string& digits) {
    ImGui::GetIO().AddKeyEvent(ImGuiKey_LeftCtrl, true);
    draw_and_apply(null, session);
    for (const char digit : digits)
      for (const bool down : {true, false}) {
        ImGui::GetIO().AddKeyEvent(static_cast<ImGuiKey>(ImGuiKey_0 + (digit - '0')), down);
        draw_and_apply(null, session);
      }
    ImGui::GetIO().AddKeyEvent(ImGuiKey_LeftCtrl, false);
    draw_and_apply(null, session);
    return session.model().lab()->number;
  };
  for (const int number : {23, 5, 1, 23}) CHECK(opened(std::to_string(number)) == number);
  CHECK(opened("4") == 23);  // there is none
}

TEST_CASE("The slides of twenty-nine labs name their number and their count, none cut",
          "[ui][labs][large][present]") {
  const ImVec2 size = GENERATE(ImVec2(640, 480), ImVec2(1280, 800));
  CAPTURE(size.x);
  LargeCourse large;
  ScriptedLauncher launcher;
  Session session(large.course.tree(), launcher);
  NullBackend null(size.x, size.y, present_zoom(size.x, size.y), Appearance::dark);
  session.apply(command::Present{true});
  std::size_t shown = 0;
  for (int step = 0; step < all_labs * 8; ++step) {
    watch_clipped_texts(true);
    draw_and_apply(null, session);
    for (const std::string& text : clipped_texts()) FAIL_CHECK(text);
    shown = std::max(shown, session.model().presentation->place.lab + 1);
    session.apply(command::StepDeck{DeckStep::onward});
  }
  watch_clipped_texts(false);
  CHECK(shown == all_labs);
}

TEST_CASE("Find by number or word opens one of twenty-nine labs by keyboard", "[ui][labs][large]") {
  LargeWindow window(1280, 800);
  window.frames();
  window.session.apply(command::FindLab{});
  window.frames(3);
  ImGui::GetIO().AddInputCharactersUTF8("27-");
  window.frames();
  window.press({ImGuiKey_Enter});
  CHECK(window.model().lab()->number == 27);
}

}  // namespace klab::ui
