// How often the real window draws, while its pages change, a check is followed, and a large
// timeline is dragged.
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <future>
#include <regex>

#include "support/synthetic_timeline.hpp"
#include "ui/model/model.hpp"
#include "ui/replay/recording.hpp"
#include "ui/support/desktop.hpp"

namespace klab::ui {
namespace {

struct Frames {
  double processor_ms = 0, slow_processor_ms = 0;  ///< of one frame: median, 99 %
  double every_ms = 0, slow_ms = 0;                ///< from one to the next: median, 99 %
};

/// The last figures that a script printed.
Frames frames_in(const std::string& said) {
  std::printf("%s", said.c_str());
  const std::regex figures(
      "of the processor ([0-9.]+), ([0-9.]+), [^\n]*\nwhile something moved a frame every "
      "([0-9.]+) "
      "ms, 99 % ([0-9.]+) ms");
  Frames frames;
  std::smatch match;
  for (std::string rest = said; std::regex_search(rest, match, figures); rest = match.suffix())
    frames = {std::stod(match[1]), std::stod(match[2]), std::stod(match[3]), std::stod(match[4])};
  REQUIRE(frames.every_ms > 0);
  return frames;
}

/// The medians, because whatever else runs here lengthens single frames.
void check_pace(const Frames& frames) {
#ifdef NDEBUG
  CHECK(frames.processor_ms < 16.7);
  CHECK(frames.slow_processor_ms < 33);
  CHECK(frames.every_ms < 20);
#else
  CHECK(frames.every_ms < 100);  // without optimization
#endif
}

std::string drag(int from_x, int to_x) {
  std::string acts = " mousemove " + std::to_string(from_x) + " 400 mousedown 1";
  for (int i = 1; i <= 60; ++i)
    acts += " mousemove " + std::to_string(from_x + (to_x - from_x) * i / 60) + " 400 sleep 0.01";
  return acts + " mouseup 1";
}

}  // namespace

TEST_CASE("Every page is drawn sixty times a second while a check arrives",
          "[ui][window][statistics]") {
  const SampleCourse course;
  const Variable root_is("KLAB_ROOT", course.root().string());
  const Desktop desktop;
  REQUIRE(desktop.usable());
  std::ofstream script(course.root() / "pages.klab");
  script << "size 1280x800\nwait 0.3\nstatistics\n";
  for (const Page page : all_pages) script << "page " << to_string(page) << "\nwait 0.4\n";
  script << "statistics\nquit\n" << std::flush;
  check_pace(
      frames_in(output_of(KLAB_WORKBENCH " --show --replay " + recording_path("hanging").string() +
                          " --script " + (course.root() / "pages.klab").string())));
}

TEST_CASE("A million spans are dragged sixty times a second", "[ui][window][statistics]") {
  const SampleCourse course;
  const Variable root_is("KLAB_ROOT", course.root().string());
  const Desktop desktop;
  REQUIRE(desktop.usable());
  Recording large = recording("timeline");
  Timeline timeline;
  timeline.variants.push_back(trace_of(test::million_spans()));
  std::get<Investigation>(large.events.back().event).found = std::move(timeline);
  {
    std::ofstream file(course.root() / "large.jsonl");
    file << recording_head(large.lab, large.note) << '\n';
    for (const RecordedEvent& event : large.events) file << encode_line(event) << '\n';
  }
  std::ofstream(course.root() / "drag.klab")
      << "size 1280x800\nreplay large.jsonl\nwait done\ninvestigate timeline\nwait done\n"
         "page timeline\nkey + + + +\nwait 0.3\nscreenshot before.png\nstatistics\nwait 4\n"
         "statistics\nscreenshot after.png\nquit\n";
  const auto folder = course.root();
  auto said = std::async(std::launch::async, [&] {
    return output_of(KLAB_WORKBENCH " --show --script " + (folder / "drag.klab").string());
  });
  REQUIRE(comes_true([&] { return std::filesystem::exists(folder / "before.png"); }, 60s));
  std::this_thread::sleep_for(200ms);
  output_of("xdotool" + drag(1000, 550) + drag(1000, 550) + drag(550, 800));
  check_pace(frames_in(said.get()));
  CHECK(text_of(folder / "before.png") != text_of(folder / "after.png"));
}

}  // namespace klab::ui
