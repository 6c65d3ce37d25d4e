// Lanes: layout without overlap, and what is left of a million spans on two thousand pixels.
#include "core/timeline/lanes.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <random>

using namespace klab;
using Catch::Matchers::WithinAbs;

namespace {

TimelineTrack track_of(const std::vector<std::pair<std::int64_t, std::int64_t>>& times) {
  TimelineTrack track;
  for (const auto& [start, end] : times)
    track.spans.push_back({start, end, static_cast<std::uint32_t>(track.spans.size())});
  return track;
}

std::vector<LaneMark> marks(const TimelineLane& lane, double from, double to, int pixels) {
  std::vector<LaneMark> found;
  marks_of(lane, from, to, pixels, found);
  return found;
}

TimelineTrack track_of_a_million() {
  TimelineTrack track;
  std::mt19937_64 random(1);
  std::int64_t at = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const auto length = static_cast<std::int64_t>(200 + random() % 4000);
    track.spans.push_back({at, at + length, static_cast<std::uint32_t>(i % 20)});
    at += length + static_cast<std::int64_t>(random() % 3000);
  }
  return track;
}

}  // namespace

TEST_CASE("nested calls stand below their callers", "[core][timeline_lanes]") {
  const auto lanes = lanes_of(track_of({{0, 100}, {10, 40}, {20, 30}, {50, 60}, {100, 120}}));
  REQUIRE(lanes.lanes.size() == 3);
  CHECK(lanes.lanes[0].span == std::vector<std::uint32_t>{0, 4});
  CHECK(lanes.lanes[1].span == std::vector<std::uint32_t>{1, 3});
  CHECK(lanes.lanes[2].span == std::vector<std::uint32_t>{2});
  CHECK(lanes.lanes[0].busy_ns == std::vector<std::int64_t>{0, 100});
  const auto one = lanes_of(track_of({{0, 100}, {10, 40}, {20, 30}, {50, 60}, {100, 120}}), 3);
  CHECK(one.lanes[1].span == std::vector<std::uint32_t>{3});
  CHECK(one.lanes[0].span.empty());
}

TEST_CASE("spans beyond the deepest row are counted as hidden", "[core][timeline_lanes]") {
  std::vector<std::pair<std::int64_t, std::int64_t>> times(most_lanes + 5, {0, 10});
  const auto lanes = lanes_of(track_of(times));
  CHECK(lanes.lanes.size() == most_lanes);
  CHECK(lanes.hidden == 5);
}

TEST_CASE("wide spans are drawn themselves, narrow neighbours become one mark",
          "[core][timeline_lanes]") {
  // 100 pixels of 10 ns each.
  const auto lane =
      lanes_of(track_of({{0, 200}, {300, 302}, {303, 305}, {306, 400}, {500, 501}})).lanes.at(0);
  const auto found = marks(lane, 0, 1000, 100);
  REQUIRE(found.size() == 4);
  CHECK(found[0].count == 1);
  CHECK(found[0].to == 20);
  CHECK(found[1].from == 30);
  CHECK(found[1].to == 31);
  CHECK(found[1].count == 2);
  CHECK_THAT(found[1].covered, WithinAbs(0.4, 1e-6));
  CHECK(found[2].first == 3);
  CHECK_THAT(found[2].from, WithinAbs(30.6, 1e-4));
  CHECK(found[3].count == 1);
  CHECK_THAT(found[3].covered, WithinAbs(0.1, 1e-6));
}

TEST_CASE("a span that reaches into the view is cut at its edges", "[core][timeline_lanes]") {
  const auto lane = lanes_of(track_of({{0, 10'000}})).lanes.at(0);
  const auto found = marks(lane, 2000, 3000, 50);
  REQUIRE(found.size() == 1);
  CHECK(found[0].from == 0);
  CHECK(found[0].to == 50);
  CHECK(marks(lane, 20'000, 30'000, 50).empty());
  CHECK(marks(lane, 5, 5, 50).empty());
  CHECK(marks({}, 0, 1, 50).empty());
}

TEST_CASE("a moment finds the span under it, or the nearest within reach",
          "[core][timeline_lanes]") {
  const auto lane = lanes_of(track_of({{0, 100}, {200, 300}})).lanes.at(0);
  CHECK(span_at(lane, 50, 0) == 0);
  CHECK(span_at(lane, 150, 40) == std::nullopt);
  CHECK(span_at(lane, 160, 40) == 1);
  CHECK(span_at(lane, 130, 40) == 0);
  CHECK(span_at(lane, 400, 100) == 1);
  CHECK(span_at({}, 0, 100) == std::nullopt);
}

TEST_CASE("no span of a million is lost from the picture, which has two marks a pixel at most",
          "[core][timeline_lanes]") {
  constexpr int pixels = 2000;
  const TimelineTrack track = track_of_a_million();
  const TrackLanes lanes = lanes_of(track);
  REQUIRE(lanes.lanes.size() == 1);
  const TimelineLane& lane = lanes.lanes[0];
  const auto whole = static_cast<double>(track.spans.back().end_ns);
  std::vector<LaneMark> found;
  for (const double zoom : {1.0, 0.5, 0.1, 1e-2, 1e-3, 1e-4, 1e-5})
    for (const double at : {0.0, 0.3, 0.9}) {
      const double from = at * whole * (1 - zoom), to = from + zoom * whole;
      found.clear();
      marks_of(lane, from, to, pixels, found);
      REQUIRE_FALSE(found.empty());
      CHECK(found.size() <= 2 * pixels);
      // Marks follow each other without leaving out a span.
      std::size_t next = found.front().first;
      bool complete = true, ascending = true;
      for (std::size_t i = 0; i < found.size(); ++i) {
        complete = complete && found[i].first == next;
        ascending = ascending && (i == 0 || found[i].from >= found[i - 1].from);
        next = found[i].first + found[i].count;
      }
      CHECK(complete);
      CHECK(ascending);
      CHECK((next == lane.size() || static_cast<double>(lane.start_ns[next]) >= to));
    }
}
