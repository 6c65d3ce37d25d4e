// The Journal page in the real window.
#include <imgui.h>

#include <catch2/catch_test_macros.hpp>

#include "ui/support/desktop.hpp"
#include "ui/support/filled_journal.hpp"

namespace klab::ui {

TEST_CASE("In a real window the journal is searched, compared, restored and noted",
          "[ui][window][journal]") {
  FilledJournal filled;
  const Variable root_is("KLAB_ROOT", filled.course.root().string());
  OpenWorkbench open({"--lab", "2", "--page", "journal", "--size", "1280x800"}, "02-coalescing");
  const Desktop& desktop = open.desktop;
  open.settle();
  const auto journal = [&] { return text_of(filled.workbook / "journal.jsonl"); };
  const auto holds = [&](const std::string& words) {
    return comes_true([&] { return journal().find(words) != std::string::npos; }, 60s);
  };
  // A click right after the layout changed may miss; none of these does harm twice.
  const auto click_until = [&](ImVec2 at, const std::string& kernel) {
    const auto is_there = [&] { return text_of(filled.kernel) == kernel; };
    for (const auto patience : patiences) {
      if (is_there()) break;
      desktop.click(static_cast<int>(at.x), static_cast<int>(at.y));
      comes_true(is_there, patience);
    }
    return is_there();
  };
  // The window takes what is typed and clicked in its order, a frame each, however late it draws.
  const auto type = [](const std::string& words) {
    output_of("xdotool type --delay 40 '" + words + "'");
  };
  // A note, kept with Ctrl+Enter, which elsewhere would check the kernel.
  const auto noted = [&] { return journal().find("By hand") != std::string::npos; };
  for (const auto patience : patiences) {
    if (noted()) break;
    desktop.click(780, 670);
    type("By hand");
    desktop.key("ctrl+Return");
    comes_true(noted, patience);
  }
  CHECK(holds("\"text\":\"By hand"));
  // A search leaves one attempt, which is looked at and restored.
  desktop.click(600, 291);
  type("float4");
  desktop.click(700, 386);
  CHECK(click_until({420, 591}, "// two\nfloat4 b;\n"));
  CHECK(holds("\"restored\""));
  // Both attempts beside each other, and the older one restored from there.
  desktop.click(600, 291);
  for (int i = 0; i < 6; ++i) desktop.key("BackSpace");
  type("attempt");
  desktop.click(342, 420);
  CHECK(click_until({413, 602}, "// one\nint a;\n"));
  CHECK(click_until({390, 501}, "// two\nfloat4 b;\n"));  // taken back
  open.quit();
}

}  // namespace klab::ui
