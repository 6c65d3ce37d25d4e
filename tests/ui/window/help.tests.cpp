// The help lists the keys that there are, and no others.
#include <imgui.h>

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string_view>

#include "ui/app/workbench_view.hpp"
#include "ui/pages/panels.hpp"
#include "ui/replay/key_script.hpp"
#include "ui/replay/replay_launcher.hpp"
#include "ui/session/session.hpp"
#include "ui/support/fixture.hpp"
#include "ui/support/null_backend.hpp"

namespace klab::ui {
namespace {

/// "Ctrl+1 ... Ctrl+3, F5" is Ctrl+1, Ctrl+2, Ctrl+3 and F5.
std::vector<std::string> chords_in(std::string_view keys) {
  constexpr std::string_view comma = ", ", dots = " ... ";
  std::vector<std::string> chords;
  while (!keys.empty()) {
    const std::string part(keys.substr(0, keys.find(comma)));
    keys.remove_prefix(std::min(keys.size(), part.size() + comma.size()));
    const auto at = part.find(dots);
    std::string chord = part.substr(0, at);
    for (chords.push_back(chord); at != std::string::npos && chord.back() < part.back();) {
      ++chord.back();
      chords.push_back(chord);
    }
  }
  return chords;
}

std::set<std::string> listed(bool presenting) {
  std::set<std::string> all;
  for (const HelpKey& key : help_keys(presenting))
    for (const std::string& chord : chords_in(key.keys)) all.insert(chord);
  return all;
}

/// Lab 02 passed, with a timeline.
Recording passed_and_traced() {
  Recording all = recording("passed");
  for (RecordedEvent& event : recording("timeline").events)
    if (auto* found = std::get_if<Investigation>(&event.event)) {
      found->lab = all.lab;
      all.events.push_back(std::move(event));
    }
  return all;
}

/// A window without a display. What its keys ask for is only noted, unless it is applied.
struct Keys {
  SampleCourse course;
  ReplayLauncher replay{passed_and_traced(), [] { return 0.0; }, 0};
  ScriptedLauncher nothing_runs;
  Session session;
  NullBackend null{1280, 800, 1, Appearance::light};

  explicit Keys(bool replaying)
      : session(course.tree(),
                replaying ? static_cast<Launcher&>(replay) : static_cast<Launcher&>(nothing_runs)) {
    session.apply(command::OpenLab{1});
  }
  void tick() { session.tick(session.model().now_s + 1.0 / 60); }
  Commands frame() {
    Commands commands;
    null.frame([&] { draw_workbench(session.model(), commands); });
    tick();
    return commands;
  }
  void settle() {
    for (int i = 0; i < 6; ++i)
      for (const Command& command : frame()) session.apply(command);
  }
  bool does_something(const std::string& chord) {
    bool asked = false;
    for (KeyScript script(chord); !script.done();) {
      script.advance();
      asked |= !frame().empty();
    }
    asked |= !frame().empty();
    return asked;
  }
};

/// Every state in which some key means something; `see` is called in each.
template <class See>
void in_every_state(const See& see) {
  for (const Page page : all_pages) {
    Keys keys(true);
    keys.session.replay_now();
    keys.tick();
    keys.session.apply(command::Investigate{InvestigationKind::timeline});
    keys.tick();
    keys.session.apply(command::SetTimelineView{next_span(
        std::get<Timeline>(keys.session.model().investigation(InvestigationKind::timeline)->found),
        {}, 1)});
    keys.session.apply(command::ShowPage{page});
    keys.session.apply(command::Notify{"words"});
    keys.settle();
    see(keys, to_string(page));
  }
  {
    Keys asked(false);
    asked.session.apply(command::RunCheck{});
    asked.session.apply(command::RunCheck{});
    REQUIRE(asked.session.model().window.asking_prediction);
    asked.session.apply(command::AnswerPrediction{0, 0});
    asked.settle();
    see(asked, "the question");
  }  // one window at a time
  {
    Keys typing(false);
    typing.session.apply(command::StartLab{});
    typing.session.apply(command::EditMine{});
    typing.settle();
    see(typing, "typing");
  }
  {
    Keys wide(false);
    ImGui::GetIO().DisplaySize = ImVec2(1920, 1080);
    wide.settle();
    see(wide, "a wide window");
  }
  Keys measurable(false);
  DeviceFacts device;
  device.name = "A GPU";
  device.compute_capability = ComputeCapability{9, 0};
  measurable.session.set_device(Chosen{.device = device});
  measurable.session.apply(command::ShowPage{Page::device});
  measurable.settle();
  see(measurable, "a device");
}

/// Keys that move the focus, use what has it, or scroll: they ask for nothing by themselves.
const std::set<std::string> of_the_focus{"Tab",   "Space", "Enter", "PageUp", "PageDown", "Left",
                                         "Right", "Up",    "Down",  "Home",   "End"};

/// Plain keys, and those with Ctrl and Alt, by the names of scripts.
std::vector<std::string> all_chords() {
  std::vector<std::string> names;
  for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_GamepadStart; ++key) {
    const auto named = static_cast<ImGuiKey>(key);
    const std::string name = ImGui::GetKeyName(named);
    const bool modifier = named >= ImGuiKey_LeftCtrl && named <= ImGuiKey_RightSuper;
    if (modifier || name.starts_with("Keypad")) continue;
    for (const char* with : {"", "Ctrl+", "Alt+"}) names.push_back(with + name);
  }
  return names;
}

/// As the help names it.
std::string help_name(std::string chord) {
  const auto plus = chord.rfind('+');
  const std::string before = plus == std::string::npos ? "" : chord.substr(0, plus + 1);
  std::string key = plus == std::string::npos ? chord : chord.substr(plus + 1);
  for (const auto& [name, shown] :
       {std::pair{"Escape", "Esc"}, std::pair{"LeftArrow", "Left"},
        std::pair{"RightArrow", "Right"}, std::pair{"UpArrow", "Up"},
        std::pair{"DownArrow", "Down"}, std::pair{"LeftBracket", "["},
        std::pair{"RightBracket", "]"}, std::pair{"Equal", before.empty() ? "+" : "Plus"},
        std::pair{"Minus", before.empty() ? "-" : "Minus"}})
    if (key == name) return before + shown;
  return before + key;
}

}  // namespace

TEST_CASE("Every key in the help is a key of scripts", "[ui][keyboard]") {
  for (const bool presenting : {false, true})
    for (const std::string& chord : listed(presenting)) {
      CAPTURE(chord);
      CHECK(KeyScript::unknown_key(chord).empty());
    }
}

TEST_CASE("Every key in the help does something somewhere", "[ui][keyboard]") {
  std::set<std::string> idle = listed(false);
  for (const std::string& chord : of_the_focus) idle.erase(chord);
  // Of a row of digits there are as many as answers and labs.
  for (char digit = '3'; digit <= '9'; ++digit)
    idle.erase({digit}), idle.erase(std::string("Ctrl+") + digit);
  in_every_state([&](Keys& keys, const std::string&) {
    for (auto at = idle.begin(); at != idle.end();)
      at = keys.does_something(*at) ? idle.erase(at) : std::next(at);
  });
  CAPTURE(idle);
  CHECK(idle.empty());
}

TEST_CASE("Every key that does something is in the help", "[ui][keyboard]") {
  std::set<std::string> known = listed(false), unlisted;
  in_every_state([&](Keys& keys, const std::string& state) {
    if (state == "typing") return;  // whose keys are those of every editor
    REQUIRE(keys.frame().empty());
    for (const std::string& chord : all_chords()) {
      const std::string name = help_name(chord);
      const std::string key = name.substr(
          name.rfind('+') == std::string::npos || name == "+" ? 0 : name.rfind('+') + 1);
      // What moves the focus may use a control; function keys and Esc work whatever is held.
      if (of_the_focus.contains(key) || known.contains(name)) continue;
      if ((key.front() == 'F' || key == "Esc") && known.contains(key)) continue;
      if (keys.does_something(chord)) unlisted.insert(name + " on " + state);
    }
  });
  CAPTURE(unlisted);
  CHECK(unlisted.empty());
}

TEST_CASE("Present mode lists its keys, and no others", "[ui][keyboard]") {
  std::set<std::string> known = listed(true), idle = known, unlisted;
  for (char digit = '6'; digit <= '9'; ++digit) idle.erase({digit});
  Keys keys(true);
  keys.session.replay_now();
  keys.tick();
  keys.session.apply(command::Present{true});
  keys.settle();
  for (const std::string& chord : all_chords()) {
    if (chord.starts_with("Ctrl+") || chord.starts_with("Alt+")) continue;
    const std::string name = help_name(chord);
    if (!keys.does_something(chord)) continue;
    idle.erase(name);
    if (!known.contains(name)) unlisted.insert(name);
  }
  CAPTURE(idle, unlisted);
  CHECK(idle.empty());
  CHECK(unlisted.empty());
}

}  // namespace klab::ui
