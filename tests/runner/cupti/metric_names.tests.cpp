// The catalogue against NVIDIA's CUPTI host library, for seven chips and without a GPU: every name
// is known, every claimed lack is real, and the default set takes the passes it is said to take.
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/formula.hpp"
#include "support/host_library.hpp"

using namespace klab;

namespace {

template <class Params>
Params sized(std::size_t size) {
  Params params{};
  params.structSize = size;
  return params;
}

/// A CUPTI host object for the range profiler of one chip.
class Host {
 public:
  explicit Host(const std::string& chip) {
    auto start =
        sized<CUpti_Profiler_Initialize_Params>(CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
    cuptiProfilerInitialize(&start);  // fails without a driver; the host API works all the same
    auto params = sized<CUpti_Profiler_Host_Initialize_Params>(
        CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE);
    params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    params.pChipName = chip.c_str();
    const CUptiResult result = cuptiProfilerHostInitialize(&params);
    INFO("CUPTI host library for " << chip << ": code " << result);
    REQUIRE(result == CUPTI_SUCCESS);
    object_ = params.pHostObject;
  }
  ~Host() {
    auto params = sized<CUpti_Profiler_Host_Deinitialize_Params>(
        CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE);
    params.pHostObject = object_;
    cuptiProfilerHostDeinitialize(&params);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  /// Asked of a metric's properties, as a wrong name given to AddMetrics spoils the host object.
  bool knows(const std::string& name) const {
    auto params = sized<CUpti_Profiler_Host_GetMetricProperties_Params>(
        CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE);
    params.pHostObject = object_;
    params.pMetricName = name.c_str();
    return cuptiProfilerHostGetMetricProperties(&params) == CUPTI_SUCCESS;
  }

  /// Replays needed to collect `names` together; 0 if they cannot be scheduled.
  std::size_t passes(const std::set<std::string>& names) {
    std::vector<const char*> texts;
    for (const auto& name : names) texts.push_back(name.c_str());
    auto add = sized<CUpti_Profiler_Host_ConfigAddMetrics_Params>(
        CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE);
    add.pHostObject = object_;
    add.ppMetricNames = texts.data();
    add.numMetrics = texts.size();
    if (cuptiProfilerHostConfigAddMetrics(&add) != CUPTI_SUCCESS) return 0;
    auto size = sized<CUpti_Profiler_Host_GetConfigImageSize_Params>(
        CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE);
    size.pHostObject = object_;
    if (cuptiProfilerHostGetConfigImageSize(&size) != CUPTI_SUCCESS) return 0;
    std::vector<std::uint8_t> bytes(size.configImageSize);
    auto image = sized<CUpti_Profiler_Host_GetConfigImage_Params>(
        CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE);
    image.pHostObject = object_;
    image.configImageSize = bytes.size();
    image.pConfigImage = bytes.data();
    if (cuptiProfilerHostGetConfigImage(&image) != CUPTI_SUCCESS) return 0;
    auto count = sized<CUpti_Profiler_Host_GetNumOfPasses_Params>(
        CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE);
    count.configImageSize = bytes.size();
    count.pConfigImage = bytes.data();
    if (cuptiProfilerHostGetNumOfPasses(&count) != CUPTI_SUCCESS) return 0;
    return count.numOfPasses;
  }

 private:
  CUpti_Profiler_Host_Object* object_ = nullptr;
};

std::set<std::string> default_inputs(const std::string& chip) {
  std::set<std::string> inputs;
  for (const auto name : default_metrics()) {
    for (const auto& input : cupti_inputs(*find_metric(name), chip)) inputs.insert(input);
  }
  return inputs;
}

std::string any_chip() {
  klab::test::require_host_library();
  return GENERATE(as<std::string>(), "TU102", "GA100", "GA102", "AD102", "GH100", "GB100", "GB202");
}

}  // namespace

TEST_CASE("the host library knows every counter that the catalogue uses on a chip",
          "[runner][metric_names]") {
  const std::string chip = any_chip();
  const Host host(chip);
  for (const Metric& metric : metric_catalogue()) {
    for (const auto& input : cupti_inputs(metric, chip)) {
      INFO(chip << ", " << metric.name << ": " << input);
      CHECK(host.knows(input));
    }
  }
}

TEST_CASE("each metric can be collected on its own", "[runner][metric_names]") {
  const std::string chip = any_chip();
  for (const Metric& metric : metric_catalogue()) {
    const auto inputs = cupti_inputs(metric, chip);
    if (inputs.empty()) continue;
    INFO(chip << ", " << metric.name);
    CHECK(Host(chip).passes({inputs.begin(), inputs.end()}) >= 1);
  }
}

TEST_CASE(
    "a chip that is said to lack a metric, or to name it otherwise, does not know its counters",
    "[runner][metric_names]") {
  const std::string chip = any_chip();
  const Host host(chip);
  for (const Metric& metric : metric_catalogue()) {
    const auto plain = formula_inputs(metric.cupti);
    const auto used = cupti_inputs(metric, chip);
    for (const auto& input : plain) {
      const bool kept = std::find(used.begin(), used.end(), input) != used.end();
      if (input == "least_bytes" || kept) continue;
      INFO(chip << ", " << metric.name << ": " << input);
      // A formula is dropped as a whole; one unknown counter is reason enough.
      const bool some_unknown = std::any_of(plain.begin(), plain.end(), [&](const auto& name) {
        return name != "least_bytes" && !host.knows(name);
      });
      CHECK(some_unknown);
    }
  }
}

TEST_CASE("the default set is complete on every chip and takes at most five passes",
          "[runner][metric_names]") {
  const std::string chip = any_chip();
  const auto inputs = default_inputs(chip);
  INFO(chip);
  CHECK(inputs.size() == 48);
  const auto passes = Host(chip).passes(inputs);
  CHECK(passes >= 1);
  CHECK(passes <= 5);
  if (chip == "GH100") CHECK(passes == 5);
}

TEST_CASE("a name that no chip has is refused by the host library", "[runner][metric_names]") {
  klab::test::require_host_library();
  Host host("GH100");
  CHECK_FALSE(host.knows("launch__waves_per_multiprocessor"));
  CHECK_FALSE(host.knows("dram__bytes.summ"));
  CHECK(host.passes({"dram__bytes.sum", "no_such__metric.sum"}) == 0);
}
