// The code page in the real window: typing brings facts, finding and listings do as their keys say.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "ui/support/real_course.hpp"

namespace klab::ui {
TEST_CASE("Typing brings the compiler's facts, and finding and listings do no harm",
          "[ui][window][code]") {
  const RealCourse course;
  course.start_second_lab();
  const Desktop desktop;
  REQUIRE(desktop.usable());
  const auto script = course.root / "typing.klab";
  std::ofstream(script) << "size 1280x1000\nopen 2\npage code\nwait done\nkey F4 Ctrl+End\n"
                           "type // typed\nwait done\n"
                           "key Ctrl+F\ntype row\nkey Enter Esc\n"
                           "key Ctrl+P\nwait done\nkey Ctrl+P\nwait done\n"
                           "key Ctrl+G\ntype 12\nkey Enter\nwait done\nquit\n";
  const std::string said =
      output_of(KLAB_WORKBENCH " --show --statistics --script " + script.string());
  INFO(said);
  // The figures come last, after a sentence about what is kept.
  REQUIRE(said.find('{') != said.npos);
  const auto figures = nlohmann::json::parse(said.substr(said.find('{')), nullptr, false);
  REQUIRE(figures.is_object());
  CHECK(figures["facts"]["count"] >= 2);  // the file as it was, and what was typed
  CHECK(course.draft().find("// typed") != std::string::npos);
  CHECK(course.draft().find("12") == std::string::npos);
  CHECK(course.text() == text_of(KLAB_SOURCE_DIR "/kernels/02_coalescing/flawed.cu"));
}

}  // namespace klab::ui
