// The timeline page: zooming and stepping as functions, then the page itself, driven by keys and
// mouse.
#include <imgui.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <set>

#include "core/base/files.hpp"
#include "support/synthetic_timeline.hpp"
#include "ui/app/workbench_view.hpp"
#include "ui/look/widgets.hpp"
#include "ui/model/timeline_words.hpp"
#include "ui/pages/investigations/timeline_plot.hpp"
#include "ui/session/session.hpp"
#include "ui/support/fixture.hpp"
#include "ui/support/null_backend.hpp"

namespace klab::ui {
namespace {

using Catch::Matchers::WithinAbs;
using test::TimelineMaker;

Investigation synthetic() {
  for (const RecordedEvent& event : recording("timeline").events)
    if (const auto* found = std::get_if<Investigation>(&event.event)) return *found;
  throw std::runtime_error("no timeline in the recording");
}

Timeline small_timeline() {
  Timeline timeline;
  timeline.variants.push_back(trace_of(test::waiting_timeline()));
  TimelineMaker mine(VariantName::mine);
  mine.run(0, 40, 50);
  mine.kernel("step", 10, 20);
  timeline.variants.push_back(trace_of(mine.made));
  return timeline;
}

/// A session that shows the timeline page of lab 5 with what was found.
struct TimelinePage {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session{course.tree(), launcher};
  NullBackend null;
  double now_s = 0;

  explicit TimelinePage(Investigation found, float width = 1280, float height = 800,
                        Appearance appearance = Appearance::light)
      : null(width, height, 1, appearance) {
    session.apply(command::OpenLab{4});
    session.apply(command::ShowPage{Page::timeline});
    session.apply(command::Investigate{InvestigationKind::timeline});
    launcher.pending.push_back(std::move(found));
    session.tick(0.1);
  }
  int frame() {
    Commands commands;
    const int vertices = null.frame([&] { draw_workbench(session.model(), commands); });
    for (const Command& command : commands) session.apply(command);
    session.tick(now_s += 0.02);
    return vertices;
  }
  void press(ImGuiKey key) {
    for (const bool down : {true, false}) {
      ImGui::GetIO().AddKeyEvent(key, down);
      frame();
    }
  }
  const TimelineView& view() const { return session.model().investigations.timeline; }
};

}  // namespace

TEST_CASE("zooming keeps the moment under the pointer and stays within the recording",
          "[ui][timeline]") {
  const Timeline timeline = small_timeline();
  TimelineView view;
  const TimelineRange whole = shown_range(timeline, view);
  CHECK(whole.from_ns <= 0);
  CHECK(whole.to_ns >= 100'000);
  view = zoomed(timeline, view, 30'000, 0.5);
  REQUIRE(view.range);
  CHECK_THAT(view.range->length_ns(), WithinAbs(whole.length_ns() / 2, 1));
  CHECK_THAT((30'000 - view.range->from_ns) / view.range->length_ns(),
             WithinAbs((30'000 - whole.from_ns) / whole.length_ns(), 1e-9));
  for (int i = 0; i < 100; ++i) view = zoomed(timeline, view, 30'000, 0.5);
  CHECK_THAT(view.range->length_ns(), WithinAbs(least_range_ns, 1e-6));
  for (int i = 0; i < 100; ++i) view = panned(timeline, view, -1000);
  CHECK(view.range->from_ns <= 0);
  CHECK(view.range->from_ns > -least_range_ns);
  for (int i = 0; i < 100; ++i) view = zoomed(timeline, view, 0, 2);
  CHECK_FALSE(view.range);
  CHECK(shown_variants(timeline, only(view, 1)) == std::vector<std::size_t>{1});
  CHECK(whole_range(timeline, only(view, 1)).to_ns == 50'000);
  CHECK(shown_variants(timeline, only(view, 7)).size() == 2);
}

TEST_CASE("spans, rows and gaps are reached step by step", "[ui][timeline]") {
  const Timeline timeline = small_timeline();
  TimelineView view = next_span(timeline, {}, 1);
  REQUIRE(picked_span(timeline, view));
  CHECK(picked_span(timeline, view)->start_ns == 2'000);
  view = next_span(timeline, view, 2);
  CHECK(picked_span(timeline, view)->start_ns == 23'000);
  CHECK(next_span(timeline, view, -99).picked->index == 0);
  view = next_lane(timeline, view, 1);
  CHECK(view.picked->track == 1);
  CHECK(picked_span(timeline, view)->start_ns == 28'000);
  view = next_lane(timeline, view, 99);
  CHECK(view.picked->variant == 1);
  view.picked->index = 1000;
  CHECK_FALSE(picked_span(timeline, view));

  view = next_gap(timeline, {}, 1);
  REQUIRE(view.range);
  CHECK(view.range->from_ns < 18'000);
  CHECK(view.range->to_ns > 28'000);
  view = next_gap(timeline, view, 1);
  CHECK(view.range->to_ns > 78'000);
  CHECK(next_gap(timeline, view, -1).range->from_ns < 18'000);
  CHECK_FALSE(next_gap(timeline, only({}, 1), 1).range);
}

TEST_CASE("a measurement goes from one picked span to another", "[ui][timeline]") {
  const Timeline timeline = small_timeline();
  TimelineView view = measured(timeline, {});
  CHECK_FALSE(view.measure_from_ns);
  view = measured(timeline, next_span(timeline, view, 1));
  view = measured(timeline, next_span(timeline, view, 1));
  CHECK(view.measure_from_ns == 2'000);
  CHECK(view.measure_to_ns == 22'000);
  CHECK_FALSE(measured(timeline, view).measure_from_ns);
}

TEST_CASE("a highlight holds all spans of its name, and goes when asked again", "[ui][timeline]") {
  const Timeline timeline = small_timeline();
  TimelineView view = highlighted(timeline, {}, "cudaLaunchKernel");
  REQUIRE(view.highlight);
  CHECK(view.highlight->lanes[0][0].lanes[0].size() == 3);
  CHECK(view.highlight->lanes[1].empty());
  CHECK_FALSE(highlighted(timeline, view, "cudaLaunchKernel").highlight);
}

TEST_CASE("labels of the axis have the digits that its steps need", "[ui][timeline]") {
  CHECK(axis_label(0, 1e6, 2e5) == "0.0 ms");
  CHECK(axis_label(1'234'560, 1'234'700, 20) == "1.23456 ms");
  CHECK(axis_label(400, 900, 100) == "400 ns");
  CHECK(axis_label(2e9, 3e9, 1e9) == "2 s");
}

TEST_CASE("the timeline page draws at every size, light and dark, and takes its keys",
          "[ui][timeline]") {
  for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(1920, 1200), ImVec2(640, 480)}) {
    const Investigation found = synthetic();
    TimelinePage page(found, size.x, size.y, size.x > 1500 ? Appearance::dark : Appearance::light);
    CAPTURE(size.x);
    REQUIRE(page.session.model().investigation(InvestigationKind::timeline));
    for (int i = 0; i < 3; ++i) CHECK(page.frame() > 1000);
    auto ids = drawn_controls();
    std::erase(ids, 0u);
    CHECK(std::set(ids.begin(), ids.end()).size() == ids.size());
    const double whole_ns = whole_range(std::get<Timeline>(found.found), page.view()).length_ns();
    page.press(ImGuiKey_Equal);
    REQUIRE(page.view().range);
    CHECK(page.view().range->length_ns() < whole_ns);
    const double from_ns = page.view().range->from_ns;
    page.press(ImGuiKey_RightArrow);
    CHECK(page.view().range->from_ns > from_ns);
    page.press(ImGuiKey_Home);
    CHECK_FALSE(page.view().range);
    page.press(ImGuiKey_G);
    CHECK(page.view().range);
    page.press(ImGuiKey_RightBracket);
    page.press(ImGuiKey_DownArrow);
    REQUIRE(page.view().picked);
    page.press(ImGuiKey_H);
    CHECK(page.view().highlight);
    CHECK(page.frame() > 1000);
    page.press(ImGuiKey_M);
    CHECK(page.view().measure_from_ns);
    page.press(ImGuiKey_V);
    CHECK(page.view().only == 0);
    for (int i = 0; i < 3; ++i) page.press(ImGuiKey_V);
    CHECK_FALSE(page.view().only);
  }
}

TEST_CASE("of an order the page tells steps, and no time", "[ui][timeline]") {
  TimelineMaker maker(VariantName::flawed);
  maker.made.order_only = true;
  maker.run(0, 0.006, 0.008);  // the maker takes microseconds: six steps, then two
  maker.call("cudaLaunchKernel", 0, 0.001, 1);
  maker.call("cudaMemcpy", 0.001, 0.004, 2);
  maker.kernel("spread(float*)", 0.002, 0.001, 1);
  maker.add(TrackKind::copy, "Copies to the host", "copy device to pageable", 0.003, 0.001, 2)
      .bytes = 4096;
  Timeline timeline;
  timeline.variants.push_back(trace_of(maker.made));
  const TracedVariant& traced = *timeline.variants.front();
  const auto words = [&](std::size_t track) {
    const TimelineTrack& shown = traced.recorded.tracks[track];
    return describe(traced, shown, shown.spans.back());
  };
  CHECK(words(0) == "cudaMemcpy\nCUDA calls\nstep 1 to 4");
  CHECK(words(1) == "spread\nStream 7\nstep 2");
  CHECK(words(2) == "copy device to pageable\nCopies to the host\nstep 3\n4.096 kB");
  CHECK(steps_text(1) == "1 step");
  CHECK(steps_text(3) == "3 steps");
  CHECK(whole_range(timeline, {}).to_ns == least_range_steps);

  Investigation found{.kind = InvestigationKind::timeline, .lab = "05-sync-heavy"};
  found.found = timeline;
  TimelinePage page(std::move(found));
  for (int i = 0; i < 3; ++i) CHECK(page.frame() > 1000);
  page.press(ImGuiKey_G);
  CHECK_FALSE(page.view().range);  // an order has no gaps
}

TEST_CASE("wheel, drag and click work on the picture", "[ui][timeline]") {
  TimelinePage page(synthetic());
  ImGuiIO& io = ImGui::GetIO();
  for (int i = 0; i < 3; ++i) page.frame();
  const ImVec2 middle(900, 470);
  io.AddMousePosEvent(middle.x, middle.y);
  page.frame();
  page.frame();
  io.AddMouseWheelEvent(0, 4);
  page.frame();
  page.frame();
  REQUIRE(page.view().range);
  const TimelineRange before = *page.view().range;
  io.AddMouseButtonEvent(0, true);
  page.frame();
  for (int step = 1; step <= 5; ++step) {
    io.AddMousePosEvent(middle.x + 20.0f * static_cast<float>(step), middle.y);
    page.frame();
  }
  io.AddMouseButtonEvent(0, false);
  page.frame();
  CHECK(page.view().range->from_ns < before.from_ns);
  CHECK_THAT(page.view().range->length_ns(), WithinAbs(before.length_ns(), 1));
  CHECK_FALSE(page.view().picked);

  io.AddKeyEvent(ImGuiMod_Shift, true);
  io.AddMouseButtonEvent(0, true);
  page.frame();
  io.AddMousePosEvent(middle.x - 100, middle.y);
  page.frame();
  page.frame();
  io.AddMouseButtonEvent(0, false);
  io.AddKeyEvent(ImGuiMod_Shift, false);
  page.frame();
  REQUIRE(page.view().measure_to_ns);
  CHECK(*page.view().measure_to_ns < *page.view().measure_from_ns);
}

TEST_CASE("exporting writes a Chrome trace into the workbook", "[ui][timeline]") {
  TimelinePage page(synthetic());
  page.frame();
  page.press(ImGuiKey_E);
  const auto text = read_file(page.course.root() / "workbook" / "05_sync_heavy.trace.json");
  REQUIRE(text);
  CHECK(text->starts_with("{\"displayTimeUnit\""));
  REQUIRE(page.session.model().window.notice);
  CHECK(page.session.model().window.notice->text.find("ui.perfetto.dev") != std::string::npos);
}

TEST_CASE("another lab shows its own timeline from the beginning", "[ui][timeline]") {
  TimelinePage page(synthetic());
  page.frame();
  page.press(ImGuiKey_Equal);
  CHECK(page.view().range);
  page.session.apply(command::OpenLab{1});
  CHECK_FALSE(page.view().range);
  page.session.apply(command::ShowPage{Page::timeline});
  CHECK(page.frame() > 500);
}

TEST_CASE("a new timeline is shown from its beginning", "[ui][timeline]") {
  TimelinePage page(synthetic());
  for (int i = 0; i < 4; ++i) page.frame();
  page.press(ImGuiKey_Equal);
  page.press(ImGuiKey_RightBracket);
  REQUIRE(page.view().range);
  REQUIRE(page.view().picked);
  page.session.apply(command::Investigate{InvestigationKind::timeline});
  Investigation smaller{.kind = InvestigationKind::timeline, .lab = "05-sync-heavy"};
  smaller.found = small_timeline();
  page.launcher.pending.push_back(std::move(smaller));
  page.session.tick(10);
  CHECK_FALSE(page.view().range);
  CHECK_FALSE(page.view().picked);
  CHECK(page.frame() > 500);
}

TEST_CASE("of a million spans no more is drawn than fits the window", "[ui][timeline]") {
  Investigation found{.kind = InvestigationKind::timeline, .lab = "05-sync-heavy"};
  Timeline timeline;
  timeline.variants.push_back(trace_of(test::million_spans()));
  found.found = timeline;
  TimelinePage page(std::move(found), 2200, 1200);
  for (int i = 0; i < 4; ++i) page.frame();
  page.press(ImGuiKey_Equal);
  for (int i = 0; i < 30; ++i) {
    ImGui::GetIO().AddKeyEvent(i % 2 ? ImGuiKey_RightArrow : ImGuiKey_Minus, i % 4 < 2);
    CHECK(page.frame() < 400'000);
  }
}

}  // namespace klab::ui
