// Typing in the real window: no key goes astray, and a save changes only what was typed.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "ui/support/trouble.hpp"

namespace klab::ui {

TEST_CASE("F4, Ctrl+G, a number and Enter as the first keys leave the kernel alone",
          "[ui][robust]") {
  const Course course;
  course.start_second_lab();
  const std::string kernel = text_of(course.mine());
  OpenWorkbench open({"--lab", "2", "--size", "1024x768"}, "02-coalescing");
  // The window has the keyboard once it follows these.
  CHECK(open.desktop.press_until("ctrl+3", "03-register-spill"));
  CHECK(open.desktop.press_until("ctrl+2", "02-coalescing"));
  for (const char* keys : {"F4", "ctrl+g", "1 7 Return", "ctrl+f", "r o w", "Escape Escape"})
    open.desktop.key(keys);
  // Whoever leaves a lab gets a draft of what was typed.
  CHECK(open.desktop.press_until("ctrl+3", "03-register-spill"));
  open.quit();
  CHECK(text_of(course.mine()) == kernel);
  CHECK_FALSE(fs::exists(course.drafts()));
}

TEST_CASE(
    "A file in Latin-1 with line ends of two bytes is saved with what was typed and nothing else",
    "[ui][robust]") {
  const Course course;
  course.start_second_lab();
  const std::string bytes = "// caf\xE9\r\n\fint a;\r\n// no last line end";
  std::ofstream(course.mine(), std::ios::binary) << bytes;
  std::optional<Variable> locale;
  locale.emplace("LC_ALL", "C");  // without an input method X gives an emoji in this locale only
  OpenWorkbench open({"--lab", "2", "--size", "1024x768"}, "02-coalescing");
  locale.reset();
  open.desktop.add_key("U1F600");
  bool typing = false;
  for (int i = 0; i < 10 && !typing; ++i) {
    open.desktop.key("F4 slash");
    typing = open.desktop.title_holds("02-coalescing*", 10s);
  }
  REQUIRE(typing);
  output_of("LC_ALL=C.UTF-8 xdotool type --delay 100 '/ 😀'");
  // The first slash may have been typed more than once until the title told of it.
  const auto behind_slashes = [&] {
    const std::string text = text_of(course.mine());
    return text.substr(std::min(text.find_first_not_of('/'), text.size()));
  };
  CHECK(press_until_true(open.desktop, "ctrl+s", [&] { return behind_slashes() == " 😀" + bytes; }));
  CHECK(behind_slashes() == " 😀" + bytes);
  open.quit();
}

TEST_CASE("Ctrl+Q with unsaved typing leaves the kernel alone, and the next start has the typing",
          "[ui][robust]") {
  const Course course;
  course.start_second_lab();
  const std::string kernel = text_of(course.mine());
  OpenWorkbench open({"--lab", "2", "--size", "1024x768"}, "02-coalescing");
  type_into_editor(course, open.desktop, "typedhere");
  CHECK(open.desktop.title_holds("02-coalescing*"));
  open.quit();
  CHECK(text_of(course.mine()) == kernel);
  CHECK(holds(course.drafts(), "typedhere"));
  open.start({"--lab", "2"}, "02-coalescing");
  CHECK(press_until_true(open.desktop, "ctrl+s", [&] {
    return text_of(course.mine()).find("typedhere") != std::string::npos;
  }));
  open.quit();  // the draft goes right behind the save
  CHECK_FALSE(holds(course.drafts(), "typedhere"));
}

}  // namespace klab::ui
