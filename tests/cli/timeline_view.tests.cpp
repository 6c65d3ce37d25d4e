// What a timeline looks like on a terminal.
#include "cli/timeline_view.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/text.hpp"
#include "support/synthetic_timeline.hpp"

using namespace klab;
using namespace klab::cli;
using Catch::Matchers::ContainsSubstring;

namespace {

Investigation example() {
  Investigation found{.kind = InvestigationKind::timeline, .lab = "05-sync-heavy"};
  found.device.name = "Synthetic GPU";
  Timeline timeline;
  timeline.variants.push_back(trace_of(test::waiting_timeline()));
  test::TimelineMaker mine("candidate");
  mine.run(0, 40, 50);
  mine.kernel("a_kernel_with_a_name_that_is_far_too_long_for_a_column_of_text\x1b[31m", 10, 20);
  mine.made.dropped_over_limit = 1234;
  timeline.variants.push_back(trace_of(mine.made));
  found.found = timeline;
  return found;
}

}  // namespace

TEST_CASE("a timeline is summed up for each variant, with names and gaps", "[cli][views]") {
  const std::string text = view_timeline({}, example());
  CHECK_THAT(text, ContainsSubstring("05-sync-heavy  Synthetic GPU"));
  CHECK_THAT(text, ContainsSubstring("flawed"));
  CHECK_THAT(text, ContainsSubstring("mine"));
  CHECK_THAT(text, ContainsSubstring("62.5 %"));
  CHECK_THAT(text, ContainsSubstring("80 us"));
  CHECK_THAT(text, ContainsSubstring("host wait"));
  CHECK_THAT(text, ContainsSubstring("host busy"));
  CHECK_THAT(text, ContainsSubstring("cudaLaunchKernel"));
  CHECK_THAT(text, ContainsSubstring("step"));
  CHECK_THAT(text, ContainsSubstring("The GPU had no gap of 2 us or more."));
  CHECK_THAT(text, ContainsSubstring("1,234 spans are missing"));
  CHECK(text.find('\033') == std::string::npos);
  std::size_t from = 0;
  for (std::size_t end; (end = text.find('\n', from)) != std::string::npos; from = end + 1) {
    CAPTURE(text.substr(from, end - from));
    CHECK(display_width(text.substr(from, end - from)) <= widest_columns);
  }
  CHECK(view_timeline({}, {}).empty());
}
