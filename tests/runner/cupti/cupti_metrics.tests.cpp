// Lists of hardware metrics against NVIDIA's own host library, which answers without a GPU.
#include "runner/cupti/metrics.hpp"

#include <cupti_profiler_target.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "support/host_library.hpp"

using namespace klab;
using namespace klab::runner;

namespace {

/// Metrics made ready for GH100, or for another chip.
CuptiMetrics prepared(const std::vector<std::string>& names, const std::string& chip = "GH100") {
  test::require_host_library();
  CUpti_Profiler_Initialize_Params start = {CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
  cuptiProfilerInitialize(&start);  // fails without a driver; the host library works all the same
  return CuptiMetrics(chip, {}, names);
}

}  // namespace

TEST_CASE("good metrics are configured in one pass", "[runner][cupti]") {
  CuptiMetrics metrics = prepared({"dram__bytes.sum", "gpu__time_duration.sum"});
  CHECK(metrics.names().size() == 2);
  CHECK(metrics.rejected().empty());
  CHECK(metrics.passes() == 1);
  CHECK_FALSE(metrics.configuration().empty());
}

TEST_CASE("a name that CUPTI does not know is set aside and spoils nothing", "[runner][cupti]") {
  CuptiMetrics metrics =
      prepared({"dram__bytes.sum", "no_such__metric.sum", "gpu__time_duration.sum"});
  CHECK(metrics.names().size() == 2);
  REQUIRE(metrics.rejected().size() == 1);
  CHECK(metrics.rejected().contains("no_such__metric.sum"));
  CHECK(metrics.passes() == 1);
}

TEST_CASE("a known name that cannot be collected is set aside too", "[runner][cupti]") {
  // Without its rollup the name passes CUPTI's own validation, and then poisons the host object.
  CuptiMetrics metrics = prepared({"dram__bytes", "gpu__time_duration.sum"});
  REQUIRE(metrics.rejected().size() == 1);
  CHECK(metrics.rejected().contains("dram__bytes"));
  REQUIRE(metrics.names().size() == 1);
  CHECK(std::string(metrics.names().front()) == "gpu__time_duration.sum");
  CHECK(metrics.passes() == 1);
}

TEST_CASE("nothing but bad names leaves nothing to collect", "[runner][cupti]") {
  CuptiMetrics metrics = prepared({"no_such__metric.sum"});
  CHECK(metrics.names().empty());
  CHECK(metrics.passes() == 0);
}

TEST_CASE("a metric that only one chip has is rejected on the other", "[runner][cupti]") {
  test::require_host_library();
  const std::string wgmma =
      "sm__inst_executed_pipe_tensor_op_gmma.avg.pct_of_peak_sustained_active";
  CHECK(prepared({wgmma}, "GH100").rejected().empty());
  CHECK(prepared({wgmma}, "GA100").rejected().contains(wgmma));
}
