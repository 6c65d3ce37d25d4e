// The real program in a real window under Xvfb, driven by keys and mouse.
#include <catch2/catch_test_macros.hpp>

#include "support/temporary_folder.hpp"
#include "ui/support/desktop.hpp"

namespace klab::ui {
namespace {

struct Root {
  SampleCourse course;
  Root() { setenv("KLAB_ROOT", course.root().c_str(), 1); }
  ~Root() { unsetenv("KLAB_ROOT"); }
};

}  // namespace

TEST_CASE("The window links no CUDA library", "[ui][window]") {
  const std::string needed = output_of("readelf -d " KLAB_WORKBENCH);
  REQUIRE(needed.find("libglfw") != std::string::npos);
  for (const char* library : {"libcuda", "libcudart", "libcupti", "libnvrtc", "libnvidia"})
    CHECK(needed.find(library) == std::string::npos);
}

TEST_CASE("Without a display the program says so and exits 4", "[ui][window]") {
  const Root root;
  unsetenv("DISPLAY");
  unsetenv("WAYLAND_DISPLAY");
  const std::string said = output_of(KLAB_WORKBENCH " 2>&1; echo code $?");
  CHECK(said.find("The window cannot open") != std::string::npos);
  CHECK(said.find("klab list") != std::string::npos);
  CHECK(said.find("code 4") != std::string::npos);
  // An empty name is as good as none, and no sentence has a blank in its place.
  const Variable display("DISPLAY", ""), wayland("WAYLAND_DISPLAY", "");
  const std::string unnamed = output_of(KLAB_WORKBENCH " 2>&1; echo code $?");
  CHECK(unnamed == said);
  CHECK(unnamed.find("neither DISPLAY nor WAYLAND_DISPLAY names one") != std::string::npos);
}

TEST_CASE("Wrong options are a sentence and exit code 2", "[ui][window]") {
  const Root root;
  for (const char* options : {"--lab nothing", "--size 12", "--size 1280x800x", "--theme pink",
                              "--nonsense", "--replay /absent.jsonl"})
    CHECK(output_of(std::string(KLAB_WORKBENCH) + " " + options + " >/dev/null 2>&1; echo $?") ==
          "2\n");
}

TEST_CASE("The window's options explain themselves as those of klab ui", "[ui][window]") {
  const std::string help = output_of(KLAB_WORKBENCH " --help");
  CHECK(help.find("Usage: klab ui [OPTIONS]") != std::string::npos);
  CHECK(help.find("Examples:\n  klab ui --lab 2") != std::string::npos);
  const auto said_of = [](const std::string& options) {
    return output_of("(" KLAB_WORKBENCH " " + options + " 2>&1)");
  };
  CHECK(said_of("--them dark").find("Did you mean --theme? Run `./klab ui --help`.") !=
        std::string::npos);
  CHECK(said_of("somewhere").find("klab ui has no use for \"somewhere\".") != std::string::npos);
  CHECK(said_of("--theme blue").find("error: --theme must be light or dark, not \"blue\".\n") == 0);
  CHECK(said_of("--scale 9").find("error: --scale must be a number from 0.5 to 4") == 0);
  CHECK(said_of("--page cod").find("error: --page must be lesson, code, ") == 0);
  CHECK(said_of("--lab").find("error: --lab needs a value.\n") == 0);
  CHECK(said_of("--size 5x5").find("error: --size must be WIDTHxHEIGHT") == 0);
  for (const char* option : {"--size ", "--theme ", "--scale ", "--page ", "--lab ", "", "--"})
    CHECK(said_of(option + std::string(100'000, 'a')).size() < 300);
}

TEST_CASE("A misspelt lab is said with the near name, and no other is opened", "[ui][window]") {
  const Root root;
  const std::string said = output_of("(" KLAB_WORKBENCH " --lab coalesing 2>&1)");
  CHECK(said.find("error: There is no lab called \"coalesing\".\n  → Did you mean coalescing?") ==
        0);
}

TEST_CASE("A recording takes no kernel's place", "[ui][window]") {
  const test::TemporaryFolder folder;
  const std::string kernel = folder.write("mine.cu", "// mine\n").string();
  const std::string said = output_of("(" KLAB_WORKBENCH " --record " + kernel + " 2>&1)");
  CHECK(said.find("error: --record must be a file of its own") == 0);
  CHECK(folder.read("mine.cu") == "// mine\n");
}

TEST_CASE(
    "A script may begin with a picture, and what fails names the script, the line and a remedy",
    "[ui][window]") {
  const Root root;
  const test::TemporaryFolder folder;
  const Desktop desktop;
  REQUIRE(desktop.usable());
  const auto said_of = [&](const std::string& acts) {
    const auto script = folder.write("acts.klab", acts);
    return output_of("(" KLAB_WORKBENCH " --script " + script.string() + " 2>&1; echo code $?)");
  };
  CHECK(said_of("screenshot first.png\n") == "code 0\n");
  CHECK(std::filesystem::file_size(folder.path() / "first.png") > 1000);
  const std::string lost = said_of("page lesson\nscreenshot absent/first.png\n");
  CHECK(lost.find("error: acts.klab:2: The image ") == 0);
  CHECK(lost.find("  → Check that its folder is there") != std::string::npos);
  CHECK(said_of("replay absent.jsonl\n").find("error: acts.klab:1: Could not read ") == 0);
  CHECK(said_of("open nothing\n").find("error: acts.klab:1: There is no lab called \"nothing\"") ==
        0);
}

TEST_CASE("A window is driven by keys and mouse and closes during a hanging check",
          "[ui][window]") {
  const Root root;
  Desktop desktop;
  REQUIRE(desktop.usable());
  Child window(workbench({"--replay", recording_path("hanging").string(), "--scale", "1"}));
  REQUIRE(desktop.title_holds("checking 02-coalescing"));
  REQUIRE(desktop.press_until("Escape", "not checkable"));
  desktop.click(120, 191);
  CHECK(desktop.title_holds("01-divergence"));
  CHECK(desktop.press_until("ctrl+4", "04-fusion"));
  output_of("xdotool search --onlyvisible --name 'Kernel Lab' windowsize 640 480");
  desktop.key("F1");
  desktop.key("Escape");
  desktop.key("F5");
  CHECK(desktop.title_holds("checking 04-fusion"));
  desktop.key("ctrl+2");
  CHECK(desktop.title_holds("02-coalescing - Kernel Lab - checking 04-fusion"));
  desktop.key("ctrl+q");
  CHECK(window.wait(60s) == 0);
}

TEST_CASE("A real check without a GPU ends in words, not in a crash", "[ui][window]") {
  const Root root;
  Desktop desktop;
  REQUIRE(desktop.usable());
  Child window(workbench({"--lab", "2", "--scale", "1"}));
  REQUIRE(desktop.title_holds("02-coalescing"));
  const auto journal = root.course.root() / "workbook" / "journal.jsonl";
  const auto kept = [&](const char* kind) {
    return text_of(journal).find(kind) != std::string::npos;
  };
  // Starts and asks, answers, checks; in the order in which frames see them.
  CHECK(press_until_true(desktop, "F5 3 2", [&] { return kept("\"prediction\""); }));
  CHECK(comes_true([&] { return kept("\"attempt\""); }, 300s));
  desktop.key("ctrl+q");
  CHECK(window.wait(60s) == 0);
}

}  // namespace klab::ui
