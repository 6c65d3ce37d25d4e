// What every lab must have, read from its files alone: a short start, a full gallery, prose whose
// facts exist. The rules themselves are core/admission/structure's.
#include "core/admission/structure.hpp"

#include "core/admission/skeleton.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/course/sizes/drawn_sizes.hpp"

using namespace klab;

namespace {

/// Fails for every fault that `faults_of` finds in a lab of the course.
void check_course(Faults (*faults_of)(const Lab&)) {
  const Course course = load_course(KLAB_SOURCE_DIR);
  for (const Error& error : course.broken) FAIL_CHECK(error.what);
  REQUIRE_FALSE(course.labs.empty());
  for (const Lab& lab : course.labs) CHECK(faults_of(lab) == Faults());
}

}  // namespace

TEST_CASE("a flawed kernel is at most 40 lines, says what to do and includes only its contract",
          "[course][structure]") {
  check_course(start_faults);
}

TEST_CASE("a gallery has two wrong files, a slow one and two fair ones, and each says how it ends",
          "[course][structure]") {
  check_course(gallery_faults);
}

TEST_CASE("a lab has its files, and its workload fills every field of its contract",
          "[course][structure]") {
  check_course(structure_faults);
}

TEST_CASE("each step of a road is a file of the gallery that is right", "[course][structure]") {
  check_course(step_faults);
}

TEST_CASE("the right answers stand in every place, and are seldom the longest",
          "[course][structure]") {
  constexpr std::size_t places = 3;
  std::vector<std::size_t> right(places, 0);
  std::size_t questions = 0, longest = 0;
  for (const Lab& lab : load_course(KLAB_SOURCE_DIR).labs)
    for (const Prediction& prediction : lab.predictions) {
      INFO(lab.id << ": " << prediction.question);
      const auto answer = static_cast<std::size_t>(prediction.answer);
      REQUIRE(answer < places);
      ++questions;
      ++right[answer];
      const bool is_longest = std::all_of(
          prediction.choices.begin(), prediction.choices.end(), [&](const std::string& choice) {
            return &choice == &prediction.choices[answer] ||
                   choice.size() < prediction.choices[answer].size();
          });
      longest += is_longest ? 1 : 0;
    }
  // A learner who always takes one place, or always the longest text, does no better than by
  // chance.
  for (const std::size_t count : right) CHECK(count * places <= questions + places);
  CHECK(longest * 2 <= questions);
}

TEST_CASE("a lab builds on labs of the course", "[course][structure]") {
  std::set<int> earlier;
  for (const Lab& lab : load_course(KLAB_SOURCE_DIR).labs) {
    INFO(lab.id);
    for (const int number : lab.builds_on) CHECK(earlier.contains(number));
    earlier.insert(lab.number);
  }
}

TEST_CASE("no drawing of a lesson is wider than the window shows without scrolling",
          "[course][structure]") {
  constexpr std::size_t columns = 88;
  for (const Lab& lab : load_course(KLAB_SOURCE_DIR).labs)
    for (const auto& path : {lab.lesson(), lab.explanation()}) {
      const auto text = read_file(path);
      REQUIRE(text);
      bool drawing = false;
      std::istringstream lines(*text);
      for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```")) drawing = line == "```text";
        INFO(path.string() << ": " << line);
        if (drawing) CHECK(display_width(line) <= columns);
      }
    }
}

TEST_CASE("nothing is left to be said by who wrote the lab", "[course][structure]") {
  check_course(unwritten);
}

TEST_CASE("every lab has a lesson and an explanation whose placeholders name facts",
          "[course][structure]") {
  check_course(prose_faults);
}

TEST_CASE("every lab asks before it measures, hints in three to five steps and checks odd sizes",
          "[course][structure]") {
  check_course(fact_faults);
}

TEST_CASE("checks draw extents beyond the tables and counters that learners make",
          "[course][structure]") {
  // Bounded by the contract, or too slow to be tried with more.
  const std::set<std::pair<std::string, std::string>> bounded = {{"12-histogram", "grey values"},
                                                                 {"16-occupancy-trap", "terms"},
                                                                 {"22-alloc-in-loop", "steps"},
                                                                 {"24-small-batch", "clusters"},
                                                                 {"24-small-batch", "bodies"}};
  constexpr std::int64_t usual_table = 4096;
  for (const Lab& lab : load_course(KLAB_SOURCE_DIR).labs) {
    if (lab.kind == LabKind::measurement) continue;  // its jobs are drawn anew for each check
    INFO(lab.id);
    REQUIRE(lab.sizes.drawn);
    for (std::size_t i = 0; i < lab.dimensions.size(); ++i) {
      INFO(lab.dimensions[i]);
      if (!bounded.contains({lab.id, lab.dimensions[i]}))
        CHECK(lab.sizes.drawn->highest[i] > usual_table);
    }
  }
}

TEST_CASE("every extent that may is tried beyond the blocks of 256 that a grid has in y",
          "[course][structure]") {
  constexpr std::int64_t most_elements = 65'535 * 256;
  // What contracts allow at most, where lengths that are told in an array would be zero, or where
  // every pair of so many would take hours.
  const std::set<std::pair<std::string, std::string>> bounded = {
      {"05-sync-heavy", "steps"},      {"06-transpose", "rows"},
      {"06-transpose", "columns"},     {"07-bank-conflict", "rows"},
      {"07-bank-conflict", "columns"}, {"12-histogram", "grey values"},
      {"16-occupancy-trap", "terms"},  {"19-tensor-cores", "m"},
      {"19-tensor-cores", "n"},        {"19-tensor-cores", "k"},
      {"21-launch-graph", "tensors"},  {"22-alloc-in-loop", "steps"},
      {"23-pinned-overlap", "steps"},  {"24-small-batch", "clusters"},
      {"24-small-batch", "bodies"}};
  for (const Lab& lab : load_course(KLAB_SOURCE_DIR).labs) {
    if (lab.kind == LabKind::measurement) continue;
    for (std::size_t i = 0; i < lab.dimensions.size(); ++i) {
      if (bounded.contains({lab.id, lab.dimensions[i]})) continue;
      INFO(lab.id << ": " << lab.dimensions[i]);
      CHECK(std::any_of(lab.sizes.huge.begin(), lab.sizes.huge.end(),
                        [&](const Size& size) { return size[i] > most_elements; }));
    }
  }
}

TEST_CASE("every product of extents that an index may need is tried beyond 2^31 and beyond 2^32",
          "[course][structure]") {
  constexpr std::int64_t largest_int = (std::int64_t{1} << 31) - 1;
  // What contracts allow at most. 1: each is a launch of its own, or no extent of an array.
  const std::map<std::pair<std::string, std::string>, std::int64_t> bounds = {
      {{"02-coalescing", "rows"}, largest_int},
      {{"05-sync-heavy", "steps"}, 1},
      {{"06-transpose", "rows"}, 1'048'576},
      {{"06-transpose", "columns"}, 1'048'576},
      {{"07-bank-conflict", "rows"}, 1'048'576},
      {{"07-bank-conflict", "columns"}, 1'048'576},
      {{"12-histogram", "pixels"}, (std::int64_t{1} << 32) - 1},
      {{"12-histogram", "grey values"}, 1},
      {{"16-occupancy-trap", "terms"}, 1024},
      {{"19-tensor-cores", "m"}, 500'000},
      {{"19-tensor-cores", "n"}, 500'000},
      {{"19-tensor-cores", "k"}, 500'000},
      {{"21-launch-graph", "tensors"}, largest_int},
      {{"22-alloc-in-loop", "steps"}, 1},
      {{"23-pinned-overlap", "steps"}, 1},
      {{"24-small-batch", "clusters"}, 65'535},
      {{"24-small-batch", "bodies"}, 1'000'000}};
  for (const Lab& lab : load_course(KLAB_SOURCE_DIR).labs) {
    if (lab.kind == LabKind::measurement) continue;
    for (unsigned chosen = 1; chosen < 1u << lab.dimensions.size(); ++chosen)
      for (const std::int64_t end : {std::int64_t{1} << 31, std::int64_t{1} << 32}) {
        std::string names;
        Size most;
        for (std::size_t i = 0; i < lab.dimensions.size(); ++i) {
          if ((chosen >> i & 1) == 0) continue;
          const auto bound = bounds.find({lab.id, lab.dimensions[i]});
          most.push_back(bound == bounds.end() ? INT64_MAX : bound->second);
          names += lab.dimensions[i] + ", ";
        }
        const auto passes = [&](const Size& size) {
          Size extents;
          for (std::size_t i = 0; i < size.size(); ++i)
            if (chosen >> i & 1) extents.push_back(size[i]);
          return element_count(extents) > end;
        };
        if (element_count(most) <= end) continue;
        INFO(lab.id << ": " << names << "beyond " << end);
        CHECK(std::any_of(lab.sizes.huge.begin(), lab.sizes.huge.end(), passes));
      }
  }
}
