// The live phase: what the driver reports, and a sentence where there is none.
#include <catch2/catch_test_macros.hpp>

#include "core/base/tree.hpp"
#include "core/check/health.hpp"
#include "core/timing/gpu_lock.hpp"
#include "core/wire/runner_client.hpp"
#include "support/checking.hpp"
#include "support/in_full.hpp"

using namespace klab;

namespace {

PhaseOutcome watch(double seconds) {
  return run_phase(test::tree(), false, Request{.phase = Phase::live, .time_cap_s = seconds}, 30);
}

}  // namespace

TEST_CASE("without a driver, watching says why and what to do", "[runner][live]") {
  if (gpu_facts(test::tree())) SKIP("there is a CUDA device");
  const auto outcome = watch(0.5);
  REQUIRE(outcome.error);
  CHECK(outcome.error->code == ErrorCode::unsupported);
  CHECK_FALSE(outcome.error->remedy.empty());
  CHECK(outcome.all<record::DeviceSample>().empty());
}

TEST_CASE("clocks, power and memory are sampled five times a second", "[runner][live][gpu]") {
  test::require_backend(Backend::gpu);
  const auto outcome = watch(1.5);
  if (outcome.error) FAIL(klab::test::in_full(*outcome.error));
  const auto samples = outcome.all<record::DeviceSample>();
  CHECK(samples.size() >= 6);
  CHECK(samples.size() <= 8);
  for (const auto& sample : samples) {
    if (sample.held) continue;
    REQUIRE(sample.sm_clock_mhz);
    CHECK(*sample.sm_clock_mhz > 100);
    CHECK(*sample.sm_clock_mhz < 5000);
    CHECK(sample.memory_used_bytes);
    if (sample.power_w && sample.power_limit_w)
      CHECK(*sample.power_w < 1.2 * *sample.power_limit_w);
    for (const std::string& reason : sample.throttle_reasons)
      CHECK(throttle_sentence(reason).find("names this reason") == std::string::npos);
  }
}

TEST_CASE("watching steps aside while a measurement holds the GPU", "[runner][live][gpu]") {
  test::require_backend(Backend::gpu);
  const std::atomic<bool> canceled = false;
  const GpuLock lock(find_tree(), {}, canceled);
  REQUIRE(gpu_is_held(find_tree()));
  const auto samples = watch(0.7).all<record::DeviceSample>();
  REQUIRE_FALSE(samples.empty());
  for (const auto& sample : samples) {
    CHECK(sample.held);
    CHECK_FALSE(sample.sm_clock_mhz);
  }
}
