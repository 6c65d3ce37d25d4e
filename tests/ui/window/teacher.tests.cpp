// The teacher's path: all five labs shown by keyboard alone, without a GPU.
#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "ui/model/deck.hpp"
#include "ui/replay/fresh_workbook.hpp"
#include "ui/support/desktop.hpp"

namespace klab::ui {

TEST_CASE("A teacher shows five recorded labs in a real window, by keys alone",
          "[ui][robust][present]") {
  const FreshWorkbook course(KLAB_SOURCE_DIR);
  const Variable root_is("KLAB_ROOT", course.root().string());
  OpenWorkbench open({"--lab", "1"}, "01-");
  REQUIRE(open.desktop.press_until("p", "Question (recorded, NVIDIA H200, driver "));
  for (int lab = 1; lab <= 5; ++lab)
    for (const Slide slide : all_slides) {
      CAPTURE(lab, to_string(slide));
      CHECK(open.desktop.title_holds("0" + std::to_string(lab) + "-"));
      CHECK(open.desktop.title_holds(std::string(" - ") + to_string(slide) +
                                     " (recorded, NVIDIA H200, driver "));
      if (hides(slide)) open.desktop.key("space");
      if (lab < 5 || slide != Slide::ratio) open.desktop.key("space");
    }
  open.desktop.key("Home");
  CHECK(open.desktop.title_holds("05-"));
  CHECK(open.desktop.title_holds(" - Question ("));
  CHECK(open.desktop.press_until("3", "03-"));
  open.desktop.key("Escape");
  CHECK(open.desktop.title_holds("03-register-spill - Kernel Lab"));
  open.quit();
}

TEST_CASE("A teacher shows five labs by keyboard alone, without a GPU", "[ui][robust][present]") {
  const Variable root_is("KLAB_ROOT", KLAB_SOURCE_DIR);
  const Desktop desktop;
  REQUIRE(desktop.usable());
  // A script has a workbook of its own: the course's is not touched.
  const SampleCourse folder;
  std::ofstream(folder.root() / "five.klab") << "workbook fresh\nopen 1\nkey P\n" + [] {
    std::string keys;
    for (int lab = 1; lab <= 5; ++lab) {
      keys += "expect 0" + std::to_string(lab) + "-\n";
      keys += "key Space Space Space Space Space Space Space Space\n";
    }
    return keys;
  }() + "key 3\nexpect 03-\nkey Home R Right Left End Escape\nexpect 03-\nquit\n";
  CHECK(output_of(std::string(KLAB_WORKBENCH) + " --show --script " +
                  (folder.root() / "five.klab").string() + " 2>&1; echo code $?") == "code 0\n");
}

}  // namespace klab::ui
