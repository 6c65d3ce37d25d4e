// What a timeline looks like on a terminal.
#include "cli/views/timeline_view.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/base/text.hpp"
#include "support/says.hpp"
#include "support/synthetic_timeline.hpp"

using namespace klab;
using namespace klab::cli;
using Catch::Matchers::ContainsSubstring;
using klab::test::Says;

namespace {

Investigation example_investigation() {
  Investigation found{.kind = InvestigationKind::timeline, .lab = "05-sync-heavy"};
  found.device.name = "Synthetic GPU";
  Timeline timeline;
  timeline.variants.push_back(trace_of(test::waiting_timeline()));
  test::TimelineMaker mine(VariantName::mine);
  mine.run(0, 40, 50);
  mine.kernel("a_kernel_with_a_name_that_is_far_too_long_for_a_column_of_text\x1b[31m", 10, 20);
  mine.made.dropped_over_limit = 1234;
  timeline.variants.push_back(trace_of(mine.made));
  found.found = timeline;
  return found;
}

}  // namespace

TEST_CASE("a timeline is summed up for each variant, with names and gaps", "[cli][views]") {
  const std::string text = view_timeline({}, example_investigation());
  CHECK_THAT(text, ContainsSubstring("05-sync-heavy  Synthetic GPU"));
  CHECK_THAT(text, ContainsSubstring("flawed"));
  CHECK_THAT(text, ContainsSubstring("mine"));
  CHECK_THAT(text, Says("62.5 %"));
  CHECK_THAT(text, Says("80 us"));
  CHECK_THAT(text, Says("host wait"));
  CHECK_THAT(text, Says("host busy"));
  CHECK_THAT(text, ContainsSubstring("cudaLaunchKernel"));
  CHECK_THAT(text, ContainsSubstring("step"));
  CHECK_THAT(text, Says("The GPU had no gap of 2 us or more."));
  CHECK_THAT(text, Says("1,234 spans are missing"));
  CHECK(text.find('\033') == std::string::npos);
  std::size_t from = 0;
  for (std::size_t end; (end = text.find('\n', from)) != std::string::npos; from = end + 1) {
    CAPTURE(text.substr(from, end - from));
    CHECK(display_width(text.substr(from, end - from)) <= widest_columns);
  }
  CHECK(view_timeline({}, {}).empty());
}

TEST_CASE("without a clock a timeline is an order, and no time is printed", "[cli][views]") {
  Investigation found{.kind = InvestigationKind::timeline, .lab = "05-sync-heavy"};
  found.device.name = "simulated sm_90 (no timing)";
  test::TimelineMaker maker(VariantName::flawed);
  maker.made.order_only = true;
  const auto step = [](double number) { return number / 1000; };  // the maker takes microseconds
  maker.run(0, step(16), step(17));
  maker.call("cudaLaunchKernel", step(0), step(1), 1);
  maker.call("cudaLaunchKernel", step(1), step(1), 2);
  maker.call("cudaMemcpy", step(2), step(4), 3);
  maker.kernel("spread(float*)", step(3), step(1), 1);
  maker.kernel("spread(float*)", step(4), step(1), 2);
  maker.add(TrackKind::copy, "Copies to the host", "copy device to pageable", step(5), step(1), 3)
      .bytes = 4096;
  for (int i = 0; i < 5; ++i) {
    maker.call("cudaLaunchKernel", step(6 + 2 * i), step(1), 4);
    maker.call("cudaStreamSynchronize", step(7 + 2 * i), step(1), 5);
  }
  maker.call("cudaDeviceSynchronize (harness)", step(16), step(1), 6);
  Timeline timeline;
  timeline.variants.push_back(trace_of(maker.made));
  found.found = timeline;
  const std::string text = view_timeline({}, found);
  CAPTURE(text);
  CHECK_THAT(text, ContainsSubstring("step 0  cudaLaunchKernel  × 2"));
  CHECK_THAT(text, ContainsSubstring("step 3    spread  × 2"));
  CHECK_THAT(text, Says("copy device to pageable, 4.096 kB"));
  CHECK_THAT(text, Says("these 2 lines 5 times in all"));
  CHECK_THAT(text, Says("It has no clock"));
  for (const char* time : {" ns", " us", " ms", " s\n", "%", "idle meanwhile", "gap"})
    CHECK(text.find(time) == std::string::npos);
}
