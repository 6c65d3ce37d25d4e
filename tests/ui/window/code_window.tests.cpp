// The code page in the real window: typing brings facts, finding and listings do as their keys say.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <regex>

#include "core/course/workbook.hpp"
#include "ui/support/desktop.hpp"

namespace klab::ui {
namespace {

/// The real course in a folder of its own, with the second lab started.
struct RealCourse {
  std::filesystem::path root;

  RealCourse() {
    std::string name = (std::filesystem::temp_directory_path() / "klab-code-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    root = name;
    const std::filesystem::path source = KLAB_SOURCE_DIR;
    for (const char* part : {"labs", "kernels", "solutions"})
      std::filesystem::copy(source / part, root / part, std::filesystem::copy_options::recursive);
    std::filesystem::create_directories(root / "workbook");
    std::filesystem::copy(source / "kernels/02_coalescing/flawed.cu", file());
    setenv("KLAB_ROOT", root.c_str(), 1);
  }
  ~RealCourse() {
    unsetenv("KLAB_ROOT");
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
  }
  std::filesystem::path file() const { return root / "workbook" / "02_coalescing.cu"; }
  std::string text() const {
    std::ifstream in(file());
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

}  // namespace

TEST_CASE("Typing brings the compiler's facts soon, and finding and listings do no harm",
          "[ui][window][code][statistics]") {
  const RealCourse course;
  Desktop desktop;
  REQUIRE(desktop.usable());
  auto said = std::async(std::launch::async, [] {
    return output_of(KLAB_WORKBENCH " --statistics --lab 2 --page code --size 1280x1000 --scale 1");
  });
  REQUIRE(desktop.title_holds("02-coalescing"));
  std::this_thread::sleep_for(2s);
  desktop.click(700, 900);  // below the last line: the caret goes there
  output_of("xdotool type --delay 40 '// typed'");
  std::this_thread::sleep_for(3s);
  // In a slow frame a letter may arrive with the chord before it, hence the pauses.
  desktop.key("ctrl+f");
  std::this_thread::sleep_for(500ms);
  output_of("xdotool type --delay 40 'row'");
  desktop.key("Return");
  desktop.key("Escape");
  desktop.key("ctrl+p");
  desktop.key("ctrl+p");
  desktop.key("ctrl+g");
  std::this_thread::sleep_for(500ms);
  output_of("xdotool type --delay 40 '12'");
  desktop.key("Return");
  std::this_thread::sleep_for(300ms);
  desktop.key("ctrl+q");
  REQUIRE(said.wait_for(10s) == std::future_status::ready);
  const std::string statistics = said.get();
  std::printf("%s", statistics.c_str());
  INFO(statistics);
  std::smatch match;
  REQUIRE(std::regex_search(statistics, match, std::regex("facts (\\d+) times, median (\\d+) ms")));
  CHECK(std::stoi(match[1]) >= 2);  // the file as it was, and what was typed
  CHECK(std::stoi(match[2]) <
        10'000);  // the figure itself is for the reader: this machine is shared
  CHECK(course.text().find("// typed") != std::string::npos);
  CHECK(course.text().find("12") == std::string::npos);
}

}  // namespace klab::ui
