// Pictures of every page in every look, kept as artefacts of the tests: build/<preset>/screenshots.
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <fstream>
#include <set>
#include <span>

#include "ui/replay/script.hpp"
#include "ui/support/desktop.hpp"

namespace klab::ui {
namespace {

namespace fs = std::filesystem;

/// A script of the window, and the pictures that it draws.
class Pictures {
 public:
  explicit Pictures(std::string begin) : script_(std::move(begin)) {}
  void act(const std::string& line) { script_ += line + "\n"; }
  void picture(const std::string& name) {
    names_.push_back(name + ".png");
    act("screenshot " + names_.back());
  }
  void look(const std::string& size, const std::string& theme, const std::string& zoom = "1") {
    act("size " + size);
    act("theme " + theme);
    act("zoom " + zoom);
    suffix_ = "-" + size + "-" + theme;
  }
  void pages(std::span<const Page> pages) {
    for (const Page page : pages) {
      act(std::string("page ") + to_string(page));
      picture(to_string(page) + suffix_);
    }
  }

  /// Runs the script in `folder`, and looks whether each picture is there and shows something of
  /// its own.
  void draw(const fs::path& folder, const std::string& name) {
    fs::create_directories(folder);
    for (const std::string& picture : names_) fs::remove(folder / picture);
    std::ofstream(folder / name) << script_;
    CHECK(output_of(std::string(KLAB_WORKBENCH) + " --script " + (folder / name).string() +
                    " 2>&1; echo code $?") == "code 0\n");
    std::set<std::string> different;
    for (const std::string& picture : names_) {
      CAPTURE(picture);
      const std::string bytes = text_of(folder / picture);
      CHECK(bytes.size() > 8'000);
      CHECK(different.insert(bytes).second);
    }
    std::printf("%zu pictures in %s\n", names_.size(), folder.c_str());
  }

 private:
  std::string script_, suffix_;
  std::vector<std::string> names_;
};

const fs::path folder = fs::path(KLAB_BINARY_DIR) / "screenshots";
const std::string recorded_run =
    "replay " KLAB_SOURCE_DIR "/docs/results/window-02-coalescing.jsonl\nwait done\n";

}  // namespace

TEST_CASE("Screenshots of every page with a recorded run are kept", "[ui][window][screenshots]") {
  const Variable root_is("KLAB_ROOT", KLAB_SOURCE_DIR);
  const Desktop desktop;
  REQUIRE(desktop.usable());
  Pictures drawn("workbook fresh\n" + recorded_run);
  for (const char* kind : {"stalls", "roofline", "timeline", "sweep"})
    drawn.act(std::string("investigate ") + kind + "\nwait done");
  for (const char* theme : {"light", "dark"}) {
    drawn.look("1280x800", theme);
    drawn.pages(all_pages);
  }
  drawn.look("640x480", "light");
  drawn.pages(all_pages);
  drawn.look("1920x1200", "dark");
  drawn.pages(std::array{Page::code, Page::result, Page::roofline});
  drawn.look("3840x2160", "dark", "2");
  drawn.pages(std::array{Page::diagnosis});
  drawn.look("1280x800", "light");
  drawn.act("page code\nkey Ctrl+P\nwait done");
  drawn.picture("code-listing");
  drawn.act("key F1");
  drawn.picture("help");
  drawn.act("key Escape\nsize 640x480\nkey Ctrl+B");
  drawn.picture("labs-640x480");
  drawn.act("key Ctrl+B\nsize 1280x800\npresent on\nkey R");
  for (const char* slide : {"question", "flaw", "counters", "fix", "ratio"}) {
    drawn.picture(std::string("present-") + slide);
    drawn.act("key Right R");
  }
  drawn.draw(folder, "recorded.klab");
}

TEST_CASE("Screenshots of every failure and of a lab before its first check are kept",
          "[ui][window][screenshots]") {
  const Variable root_is("KLAB_ROOT", KLAB_SOURCE_DIR);
  const Desktop desktop;
  REQUIRE(desktop.usable());
  Pictures drawn("workbook fresh\nopen 2\nsize 1280x800\ntheme light\nwait done\n");
  drawn.look("1280x800", "light");
  drawn.act("page result");
  drawn.picture("before-result");
  drawn.act("page diagnosis");
  drawn.picture("before-diagnosis");
  drawn.act("page device\nwait 0.5");
  drawn.picture("before-device");
  drawn.act("page code");
  drawn.picture("before-code");
  drawn.act("key F5");
  drawn.picture("before-questions");
  for (const char* failure : {"build_failed", "wrong", "crashed", "hung", "inconclusive", "slow",
                              "counters_refused", "no_device"}) {
    drawn.act("replay " + recording_path(failure).string() + "\nwait done\npage result");
    drawn.picture(std::string("failure-") + failure);
  }
  drawn.act("replay " + recording_path("hanging").string() + " until 1\npage result");
  drawn.picture("running");
  drawn.draw(folder, "failures.klab");
}

}  // namespace klab::ui
