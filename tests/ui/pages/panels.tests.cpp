// Every page in every state of the model, drawn without a display.
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "ui/app/workbench_view.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/panels.hpp"
#include "ui/replay/replay_launcher.hpp"
#include "ui/session/session.hpp"
#include "ui/support/fixture.hpp"
#include "ui/support/null_backend.hpp"

namespace klab::ui {
namespace {

/// A session in the named state: a recording, or one of the states before any run.
void bring_into(Session& session, const std::string& state) {
  session.tick(0);
  session.apply(command::OpenLab{1});
  if (state == "not started") return;
  if (state == "no machine") {
    session.set_device(make_error(ErrorCode::no_device, "No CUDA device was found."));
    return;
  }
  if (state == "predicting") {
    session.apply(command::RunCheck{});
    session.apply(command::AnswerPrediction{0, 1});
    return;
  }
  session.set_replaying("A fixture");
  session.replay_now();
  if (state != "building") session.tick(0.1);
}

const std::vector<std::string> states = {
    "not started",  "no machine",       "predicting", "building", "build_failed",
    "wrong",        "crashed",          "hung",       "hanging",  "slow",
    "inconclusive", "counters_refused", "no_device",  "passed"};

bool is_recording(const std::string& state) {
  return std::filesystem::exists(recording_path(state));
}

}  // namespace

TEST_CASE("Every page draws in every state without an id conflict", "[ui][panels]") {
  const std::string state = GENERATE(Catch::Generators::from_range(states));
  const ImVec2 size = GENERATE(ImVec2(1280, 800), ImVec2(1920, 1080), ImVec2(640, 480));
  CAPTURE(state, size.x, size.y);
  SampleCourse course;
  ReplayLauncher launcher(
      recording(is_recording(state) ? state : "passed"), [] { return 0.0; }, 0);
  Session session(course.tree(), launcher);
  bring_into(session, state);
  NullBackend null(size.x, size.y, 1, Appearance::light);
  session.apply(command::ShowHint{});
  for (const Page page : all_pages) {
    CAPTURE(to_string(page));
    if (state != "predicting") session.apply(command::ShowPage{page});
    for (int frame = 0; frame < 4; ++frame) {
      Commands commands;
      CHECK(null.frame([&] { draw_workbench(session.model(), commands); }) > 500);
      CHECK_FALSE(has_duplicates(drawn_controls()));
      CHECK(asks_nothing(commands));
    }
  }
}

TEST_CASE("Help, notices and the list of labs draw over everything", "[ui][panels]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  NullBackend null(640, 480, 2, Appearance::dark);
  session.apply(command::ToggleHelp{});
  session.apply(command::ToggleLabs{});
  session.apply(command::Notify{"Something happened that takes a sentence to tell."});
  for (int frame = 0; frame < 4; ++frame) {
    Commands commands;
    CHECK(null.frame([&] { draw_workbench(session.model(), commands); }) > 500);
    CHECK_FALSE(has_duplicates(drawn_controls()));
  }
}

TEST_CASE("No text is cut off by its region at common sizes", "[ui][panels]") {
  const std::string state = GENERATE(Catch::Generators::from_range(states));
  struct Screen {
    float width, height, scale;
  };
  const Screen size = GENERATE(Screen{640, 480, 1}, Screen{1280, 800, 1}, Screen{1920, 1080, 1},
                               Screen{2560, 1440, 1}, Screen{2560, 1600, 2}, Screen{3840, 2160, 2});
  CAPTURE(state, size.width, size.scale);
  SampleCourse course;
  ReplayLauncher launcher(
      recording(is_recording(state) ? state : "passed"), [] { return 0.0; }, 0);
  Session session(course.tree(), launcher);
  bring_into(session, state);
  NullBackend null(size.width, size.height, size.scale, Appearance::light);
  for (const Page page : all_pages) {
    CAPTURE(to_string(page));
    if (state != "predicting") session.apply(command::ShowPage{page});
    for (int frame = 0; frame < 4; ++frame) {
      Commands commands;
      watch_clipped_texts(frame == 3);  // once the layout has settled
      null.frame([&] { draw_workbench(session.model(), commands); });
    }
    for (const std::string& text : clipped_texts()) FAIL_CHECK(text);
    watch_clipped_texts(false);
  }
}

TEST_CASE("What an H200 was recorded to do is whole on the screen, to the last line of each card",
          "[ui][panels]") {
  const ImVec2 size = GENERATE(ImVec2(640, 480), ImVec2(1280, 800), ImVec2(1920, 1080));
  CAPTURE(size.x);
  auto recorded = read_recording(KLAB_SOURCE_DIR "/docs/results/window-02-coalescing.jsonl");
  REQUIRE(recorded);
  ReplayLauncher launcher(
      std::move(*recorded), [] { return 0.0; }, 0);
  Session session(Tree{.root = KLAB_SOURCE_DIR}, launcher);
  session.set_replaying("A test");
  session.apply(command::OpenLab{1});
  session.replay_now();
  session.tick(1);
  session.apply(command::Investigate{InvestigationKind::stalls});
  session.tick(2);
  NullBackend null(size.x, size.y, 1, Appearance::light);
  for (const Page page : all_pages) {
    CAPTURE(to_string(page));
    session.apply(command::ShowPage{page});
    for (int frame = 0; frame < 5; ++frame) {
      watch_clipped_texts(frame == 4);
      draw_and_apply(null, session);
    }
    for (const std::string& text : clipped_texts()) FAIL_CHECK(text);
    watch_clipped_texts(false);
  }
}

TEST_CASE("A title takes the room that it needs in strong type, chosen or not", "[ui][panels]") {
  NullBackend null(800, 600, 1, Appearance::light);
  null.frame([] {
    const Fonts& font = theme().font;
    const std::string title = "A polynomial at many points";
    const float room = (text_width(font.body, title) + text_width(font.strong, title)) / 2;
    REQUIRE(text_height(font.body, title, room) < text_height(font.strong, title, room));
    const float two_lines = draw_wrapped(nullptr, font.body, {}, 0, title, room, font.strong);
    CHECK(two_lines == text_height(font.strong, title, room));
  });
}

TEST_CASE("Tabs move closer before one of them begins a new row", "[ui][panels]") {
  NullBackend null(1600, 600, 1, Appearance::light);
  null.frame([] {
    const std::vector<std::string> labels = {"Result", "Diagnosis", "Roofline", "Device"};
    const auto height_in = [&](const char* id, float width) {
      ImGui::SetNextWindowSize(ImVec2(width + 2 * ImGui::GetStyle().WindowPadding.x, 300));
      ImGui::Begin(id, nullptr, ImGuiWindowFlags_NoDecoration);
      const float top = ImGui::GetCursorScreenPos().y;
      segments("tabs", labels, 0);
      const float height = ImGui::GetItemRectMax().y - top;
      ImGui::End();
      return height;
    };
    float roomy = -theme().px(4);
    for (const std::string& label : labels)
      roomy += text_width(theme().font.strong, label) + theme().px(28);
    const float row = height_in("roomy", roomy + 1);
    CHECK(height_in("close", roomy - theme().px(20)) == row);
    CHECK(height_in("narrow", roomy / 2) > row);
  });
}

TEST_CASE("A line never ends between a number and its unit", "[ui][panels]") {
  NullBackend null(800, 600, 1, Appearance::light);
  null.frame([] {
    ImFont* font = theme().font.body;
    const auto line = [font](std::string_view words, std::string_view room) {
      return std::string(first_line(font, words, text_width(font, room) + 1));
    };
    CHECK(line("It ran at 73.7 % of it.", "It ran at 73.7") == "It ran at ");
    CHECK(line("no more than 62.6 Gflop/s.", "no more than 62.6") == "no more than ");
    CHECK(line("at most 12,345 µs, or so", "at most 12,345") == "at most ");
    CHECK(line("It has 12 warps of work.", "It has 12") == "It has 12");
    CHECK(line("99 % of it", "99") == "99");  // there is nowhere else to end it
    CHECK(line("All of it fits 5 % here", "All of it fits 5 % here") == "All of it fits 5 % here");
  });
}

TEST_CASE("A text that its region cuts off is found", "[ui][panels]") {
  NullBackend null(640, 480, 1, Appearance::light);
  watch_clipped_texts(true);
  null.frame([] {
    ImGui::Begin("window");
    ImGui::BeginChild("narrow", ImVec2(60, 40));
    text(theme().font.body, theme().color.text, "much wider than that");
    ImGui::EndChild();
    text(theme().font.body, theme().color.text, "fits");
    ImGui::End();
  });
  CHECK(clipped_texts() == std::vector<std::string>{"much wider than that"});
  watch_clipped_texts(false);
}

TEST_CASE("Every slide of every lab draws within its window, hidden and revealed",
          "[ui][panels][present]") {
  const ImVec2 size = GENERATE(ImVec2(1280, 800), ImVec2(1920, 1200), ImVec2(640, 480));
  CAPTURE(size.x);
  ScriptedLauncher launcher;
  Session session(Tree{.root = KLAB_SOURCE_DIR}, launcher);
  NullBackend null(size.x, size.y, present_zoom(size.x, size.y), Appearance::dark);
  watch_clipped_texts(true);
  session.apply(command::Present{true});
  session.apply(command::ShowDeck{0});
  REQUIRE(session.model().presentation);
  const std::size_t labs = session.model().labs.size();
  for (std::size_t steps = 0; steps < labs * 8; ++steps) {
    const Presentation& shown = *session.model().presentation;
    CAPTURE(shown.deck.id, to_string(shown.place.slide), shown.place.revealed);
    Commands commands;
    CHECK(null.frame([&] { draw_workbench(session.model(), commands); }) > 100);
    CHECK(asks_nothing(commands));
    if (size.x >= 1280)
      for (const std::string& text : clipped_texts()) FAIL_CHECK(text);
    session.apply(command::StepDeck{DeckStep::onward});
  }
  CHECK(session.model().presentation->place.lab + 1 == labs);
  session.apply(command::Present{false});
  CHECK_FALSE(session.model().presentation);
  watch_clipped_texts(false);
}

TEST_CASE("A course without labs draws and says so", "[ui][panels]") {
  SampleCourse course;
  std::filesystem::remove_all(course.root() / "labs");
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  NullBackend null(1280, 800, 1, Appearance::light);
  Commands commands;
  CHECK(null.frame([&] { draw_workbench(session.model(), commands); }) > 100);
  session.apply(command::RunCheck{});
  CHECK(launcher.started.empty());
}

TEST_CASE("Two controls of one id are found", "[ui][panels]") {
  NullBackend null(640, 480, 1, Appearance::light);
  drawn_controls().clear();
  null.frame([] {
    ImGui::Begin("window");
    button("same", "One");
    ImGui::SetCursorPosY(200);
    button("same", "Two");
    ImGui::End();
  });
  CHECK(has_duplicates(drawn_controls()));
}

TEST_CASE("A click on a lab opens it, a key runs the check", "[ui][panels]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  NullBackend null(1280, 800, 1, Appearance::light);
  const auto draw = [&] { draw_and_apply(null, session); };
  draw();
  click(120, 262, draw);  // the third row of the list, below filter and category heads
  CHECK(session.model().lab()->id == "02-coalescing");
  ImGui::GetIO().AddKeyEvent(ImGuiKey_F5, true);
  draw();
  CHECK(session.model().window.asking_prediction);
}

TEST_CASE("Keys answer one question after another and lead to the button", "[ui][panels]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  NullBackend null(1280, 480, 1, Appearance::light);
  bring_into(session, "predicting");
  const auto press = [&](ImGuiKey key) {
    ImGui::GetIO().AddKeyEvent(key, true);
    draw_and_apply(null, session);
    ImGui::GetIO().AddKeyEvent(key, false);
    for (int frame = 0; frame < 3; ++frame) draw_and_apply(null, session);
  };
  const auto scrolled = [] {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (std::string(window->Name).find("questions") != std::string::npos) return window->Scroll.y;
    return -1.0f;
  };
  const auto& answers = session.model().page.prediction.answers;
  draw_and_apply(null, session);
  CHECK(scrolled() == 0);
  press(ImGuiKey_2);
  CHECK(answers == std::vector<std::optional<int>>{1, 1});
  press(ImGuiKey_Backspace);
  CHECK_FALSE(answers[1]);
  press(ImGuiKey_1);
  CHECK(answers == std::vector<std::optional<int>>{1, 0});
  CHECK(scrolled() > 0);
  press(ImGuiKey_F5);
  CHECK(launcher.started.size() == 1);
}

}  // namespace klab::ui
