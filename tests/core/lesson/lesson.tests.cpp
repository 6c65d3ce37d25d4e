// Facts in prose.
#include "core/lesson/lesson.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/record/results.hpp"
#include "support/example_lab.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;

namespace {
Lab example(const TemporaryFolder& folder) {
  write_lab(folder, "02_coalescing");
  auto lab = load_lab(folder.path(), "02_coalescing");
  REQUIRE(lab);
  return *lab;
}
}  // namespace

TEST_CASE("placeholders become the lab's facts", "[core][lesson]") {
  const TemporaryFolder folder;
  const Lab lab = example(folder);
  CHECK(*fill_in(lab, "x.md", "{{title}}: {{ time.speedup }}x, {{sizes.timing}}") ==
        "Rows and columns: 5x, 65,536 x 1,024");
  CHECK(*fill_in(lab, "x.md", "{{cause.global_load_sectors_per_request.target}}") == "at most 4.5");
  CHECK(*fill_in(lab, "x.md", "{{time.ceiling.at_least}}") == "80 %");
  REQUIRE(lab.pass().causes.front().flawed);  // a bound, which prose would take for a count
  CHECK_FALSE(fill_in(lab, "x.md", "{{cause.global_load_sectors_per_request.flawed}}"));
  CHECK(*fill_in(lab, "x.md", "no placeholder { here }") == "no placeholder { here }");
  CHECK_THAT(*read_lesson(lab), ContainsSubstring("in `workbook/02_coalescing.cu`"));
}

TEST_CASE("the steps of a lab become a list, with what was recorded of them", "[core][lesson]") {
  const TemporaryFolder folder;
  Lab lab = example(folder);
  lab.steps = {{VariantName("fair_rows"), "Rows", "They lie side by side."},
               {VariantName("fair_tiles"), "Tiles", "Fewer."}};
  RecordedResults recording{.device = {.name = "A GPU"}, .date = "2026-11-22T00:00:00Z"};
  CheckResult run;
  run.lab = lab.id;
  run.variant = VariantName("fair_tiles");
  run.timing.ratio = Interval{4.5, 4.4, 4.6};
  recording.runs.push_back(run);
  REQUIRE(write_results(folder.path() / "docs" / "results" / "a.json", recording));
  CHECK(*fill_in(lab, "x.md", "{{steps}}") ==
        "1. **Rows** (`fair_rows.cu`). They lie side by side.\n"
        "2. **Tiles** (`fair_tiles.cu`). Fewer. A GPU: 4.5 times as fast as the flawed kernel.\n");
}

TEST_CASE("the ratio of a kernel file is the recorded one, or is said not to be recorded",
          "[core][lesson]") {
  const TemporaryFolder folder;
  const Lab lab = example(folder);
  RecordedResults recording{.device = {.name = "A GPU"}, .date = "2026-11-22T00:00:00Z"};
  CheckResult run;
  run.lab = lab.id;
  run.variant = VariantName("wrong_nan");
  run.timing.ratio = Interval{4.5, 4.4, 4.6};
  recording.runs.push_back(run);
  REQUIRE(write_results(folder.path() / "docs" / "results" / "a.json", recording));
  CHECK(
      *fill_in(lab, "x.md", "{{ratio.wrong_nan}}, {{ratio.optimized}}") ==
      "4.500x, not recorded\nA ratio such as 2.5x compares with the flawed kernel, as recorded on "
      "A GPU.\n");
  CHECK_FALSE(fill_in(lab, "x.md", "{{ratio.no_such_file}}"));
}

TEST_CASE("a counter of the solution is the recorded one, or is said not to be recorded",
          "[core][lesson]") {
  const TemporaryFolder folder;
  const Lab lab = example(folder);
  const std::string prose = "{{counted.dram_throughput_pct}}, {{counted.issue_active_pct}}";
  CHECK(*fill_in(lab, "x.md", prose) == "not recorded, not recorded");
  RecordedResults recording{.device = {.name = "A GPU"}, .date = "2026-11-22T00:00:00Z"};
  CheckResult run;
  run.lab = lab.id;
  run.variant = VariantName::flawed;
  run.counters[VariantName::flawed]["dram_throughput_pct"].value = 11;
  run.counters[VariantName::optimized]["dram_throughput_pct"].value = 84.5;
  recording.runs.push_back(run);
  REQUIRE(write_results(folder.path() / "docs" / "results" / "a.json", recording));
  CHECK(*fill_in(lab, "x.md", prose) ==
        "84.5 %, not recorded\nCounters of the solution are those recorded on A GPU.\n");
  CHECK_FALSE(fill_in(lab, "x.md", "{{counted.no_such_counter}}"));
}

TEST_CASE("a placeholder that names nothing is an error with its line and the near name",
          "[core][lesson]") {
  const TemporaryFolder folder;
  const Lab lab = example(folder);
  const auto filled = fill_in(lab, "lesson.md", "one\ntwo {{time.speedip}}\n");
  REQUIRE_FALSE(filled);
  CHECK(filled.error().code == ErrorCode::bad_lab);
  CHECK_THAT(filled.error().what, ContainsSubstring("lesson.md:2: "));
  CHECK_THAT(shell_words(filled.error().remedy), ContainsSubstring("{{time.speedup}}"));
  CHECK_FALSE(fill_in(lab, "lesson.md", "{{ never closed"));
}
