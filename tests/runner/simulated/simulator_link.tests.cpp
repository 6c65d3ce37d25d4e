// Which CUDA runtime the simulator's runner loads.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "core/wire/runner_client.hpp"
#include "support/checking.hpp"
#include "support/environment.hpp"
#include "support/in_full.hpp"

using namespace klab;

TEST_CASE("the simulator's runner finds its own runtime where the environment names NVIDIA's",
          "[runner][simulator_link]") {
  test::require_backend(Backend::simulator);
  const test::Environment libraries("LD_LIBRARY_PATH", KLAB_TOOLKIT_LIBRARIES);
  const auto outcome = run_phase(test::tree(), true, Request{.phase = Phase::device}, 30);
  if (outcome.error) FAIL(klab::test::in_full(*outcome.error));
  const auto devices = outcome.all<record::Device>();
  REQUIRE(devices.size() == 1);
  CHECK(devices.front().facts.simulated);
}
