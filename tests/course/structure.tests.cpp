// What every lab must have, read from its files alone: a short start, a full gallery, prose whose
// facts exist.
#include <algorithm>
#include <fstream>
#include <set>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "core/course/lab.hpp"
#include "core/lesson/lesson.hpp"
#include "support/expectation.hpp"

using namespace klab;
using namespace klab::test;

namespace {

constexpr int longest_start = 40;  ///< lines of a flawed kernel

Course course() {
  Course found = load_course(KLAB_SOURCE_DIR);
  for (const Error& error : found.broken) FAIL_CHECK(error.what);
  REQUIRE(found.labs.size() >= 5);
  return found;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("a flawed kernel is at most 40 lines, says what to do and includes only its contract",
          "[course][structure]") {
  for (const Lab& lab : course().labs) {
    INFO(lab.flawed().string());
    const std::string text = text_of(lab.flawed());
    CHECK(std::count(text.begin(), text.end(), '\n') <= longest_start);
    CHECK(text.find("TODO") != std::string::npos);
    for (std::size_t at = 0; (at = text.find("#include \"", at)) != std::string::npos; ++at)
      CHECK(text.compare(at, 23, "#include \"contract.cuh\"") == 0);
  }
}

TEST_CASE("a gallery has two wrong files, a slow one and two fair ones, and each says how it ends",
          "[course][structure]") {
  const std::set<std::string> gates = {"built", "correct", "same work", "cause", "time", "pass"};
  for (const Lab& lab : course().labs) {
    int wrong = 0;
    int slow = 0;
    int fair = 0;
    for (const Variant& variant : variants(lab)) {
      if (variant.name == "flawed" || variant.name == "optimized") continue;
      INFO(variant.path.string());
      const Expectation expected = expectation_of(variant.path);
      CHECK_FALSE(expected.gates.empty());
      CHECK_FALSE(expected.reason.empty());
      for (const std::string& gate : expected.gates) CHECK(gates.count(gate) == 1);
      wrong += variant.name.starts_with("wrong_") ? 1 : 0;
      slow += variant.name.starts_with("slow_") ? 1 : 0;
      const bool passes = variant.name.starts_with("fair_");
      fair += passes ? 1 : 0;
      CHECK((expected.gates == std::vector<std::string>{"pass"}) == passes);
      if (variant.name.starts_with("slow_")) CHECK(expected.gates.front() == "time");
    }
    INFO(lab.id);
    CHECK(wrong >= 2);
    CHECK(slow >= 1);
    CHECK(fair >= 2);
  }
}

TEST_CASE("the right answers stand in every place, and are seldom the longest",
          "[course][structure]") {
  constexpr std::size_t places = 3;
  std::vector<std::size_t> right(places, 0);
  std::size_t questions = 0, longest = 0;
  for (const Lab& lab : course().labs)
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

TEST_CASE("every lab has a lesson and an explanation whose placeholders name facts",
          "[course][structure]") {
  for (const Lab& lab : course().labs) {
    INFO(lab.id);
    const auto lesson = read_lesson(lab);
    CHECK((lesson ? std::string() : lesson.error().what) == "");
    const auto explanation = read_explanation(lab);
    CHECK((explanation ? std::string() : explanation.error().what) == "");
  }
}

TEST_CASE("every lab asks before it measures, hints in three to five steps and checks odd sizes",
          "[course][structure]") {
  for (const Lab& lab : course().labs) {
    INFO(lab.id);
    CHECK_FALSE(lab.predictions.empty());
    CHECK(lab.hints.size() >= 3);
    CHECK(lab.hints.size() <= 5);
    const auto has = [&](auto fits) {
      return std::any_of(
          lab.sizes.checking.begin(), lab.sizes.checking.end(),
          [&](const Size& size) { return std::all_of(size.begin(), size.end(), fits); });
    };
    CHECK(has([](std::int64_t extent) { return extent == 1; }));
    CHECK(has([](std::int64_t extent) { return extent > 1 && extent % 2 == 1; }));
    CHECK(std::any_of(lab.causes.begin(), lab.causes.end(),
                      [](const CauseTarget& cause) { return cause.flawed.has_value(); }));
  }
}
