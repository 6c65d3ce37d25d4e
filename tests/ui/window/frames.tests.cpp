// What the real window draws while its pages change and while nothing happens. How long it takes
// is for `klab bench --window`: a busy machine lengthens it.
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "ui/model/model.hpp"
#include "ui/support/desktop.hpp"

namespace klab::ui {
namespace {

/// The figures that a script's `statistics` printed, one object a line.
std::vector<nlohmann::json> figures_of(const std::string& options, const std::string& acts) {
  const SampleCourse course;
  const Variable root_is("KLAB_ROOT", course.root().string());
  const Desktop desktop;
  REQUIRE(desktop.usable());
  const auto script = course.root() / "acts.klab";
  std::ofstream(script) << acts;
  std::istringstream said(
      output_of(KLAB_WORKBENCH " --show " + options + " --script " + script.string()));
  std::vector<nlohmann::json> figures;
  for (std::string line; std::getline(said, line);)
    if (auto json = nlohmann::json::parse(line, nullptr, false); json.is_object())
      figures.push_back(std::move(json));
  return figures;
}

}  // namespace

TEST_CASE("Every page is drawn while a check arrives", "[ui][window]") {
  std::string acts = "size 1280x800\nwait 0.3\nstatistics\n";
  for (const Page page : all_pages)
    acts += std::string("page ") + to_string(page) + "\nwait 0.1\nstatistics\n";
  const auto figures =
      figures_of("--replay " + recording_path("hanging").string(), acts + "quit\n");
  REQUIRE(figures.size() == std::size(all_pages) + 1);
  for (const auto& one : figures) {
    CAPTURE(one.dump());
    CHECK(one["frames"] > 2);
    CHECK(one["interval"]["count"] > 0);  // it moves all the time, so the intervals count
  }
  CHECK(figures.front()["first_frame_ms"] > 0);
}

TEST_CASE("A window in which nothing happens draws nothing", "[ui][window]") {
  const auto figures = figures_of(
      "", "open 2\npage code\nwait done\nwait 2\nstatistics\nwait 3\nstatistics\nquit\n");
  REQUIRE(figures.size() == 2);
  // At sixty frames a second it would be 180.
  CAPTURE(figures[1].dump());
  CHECK(figures[1]["frames"] < 10);
  CHECK(figures[1]["wall_s"] >= 3);
}

}  // namespace klab::ui
