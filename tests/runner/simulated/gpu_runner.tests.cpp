// The runner for GPUs on the simulator's runtime: what it asks of CUDA, and what it makes of it, on
// machines without a GPU as well. Nothing runs at the same time there, and nothing is timed.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "core/build/plugin_builder.hpp"
#include "core/wire/runner_client.hpp"
#include "support/checking.hpp"
#include "support/in_full.hpp"

using namespace klab;

namespace {

/// In its scope programs are started with the simulator's runtime in the place of NVIDIA's.
class SimulatedRuntime {
 public:
  SimulatedRuntime() {
    const auto library = test::tree().build / "simulator" / "libcudart.so.13";
    ::setenv("LD_PRELOAD", library.c_str(), 1);
  }
  ~SimulatedRuntime() { ::unsetenv("LD_PRELOAD"); }
  SimulatedRuntime(const SimulatedRuntime&) = delete;
  SimulatedRuntime& operator=(const SimulatedRuntime&) = delete;
};

/// Skips the test where the simulator's runtime cannot take the place of CUDA's. Called outside of
/// assertions: within one a skip is a failure.
void require_runtime() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  SKIP("a sanitizer wants to be loaded first");
#endif
  test::require_backend(Backend::simulator);
  if (!std::filesystem::exists(test::tree().runner(false)))
    SKIP("the runner for GPUs is not built");
}

std::vector<record::Verified> verified_on_runtime(const std::string& folder,
                                                  const std::string& name,
                                                  const std::vector<Size>& sizes,
                                                  const std::vector<Size>& huge = {}) {
  const Tree tree = test::tree();
  const auto lab = load_lab(KLAB_SOURCE_DIR, folder);
  const auto toolchain = find_toolchain(tree);
  REQUIRE(lab);
  REQUIRE(toolchain);
  const auto workload = build_workload(tree, *toolchain, *lab, default_compute_capability);
  const auto built = build_plugin(tree, *toolchain, *lab, VariantName(name),
                                  lab->solutions() / (name + ".cu"), default_compute_capability);
  REQUIRE(workload);
  REQUIRE(built);
  const Request request{.phase = Phase::verify,
                        .lab = lab->id,
                        .workload = workload->library.string(),
                        .plugins = {{VariantName::mine, built->library.string()}},
                        .sizes = sizes,
                        .huge = huge,
                        .timing = lab->timing};
  const SimulatedRuntime simulated;
  const PhaseOutcome outcome = run_local_phase(tree.runner(false), request, 100, {}, nullptr);
  INFO(outcome.printed());
  if (outcome.error) FAIL(klab::test::in_full(*outcome.error));
  return outcome.all<record::Verified>();
}

bool are_right(const std::vector<record::Verified>& verified) {
  return !verified.empty() && std::ranges::all_of(verified, &record::Verified::correct);
}

}  // namespace

TEST_CASE("the runner for GPUs finds right kernels right, on host and device, and tries huge sizes",
          "[runner][gpu-runner]") {
  require_runtime();
  // The reference of 2,049 temperatures takes a host too long: it is worked out on the device.
  CHECK(are_right(verified_on_runtime("01_divergence", "optimized", {{1}, {255}, {2049}})));
  const auto verified =
      verified_on_runtime("02_coalescing", "optimized", {{1, 1}, {31, 33}}, {{64, 64}});
  CHECK(are_right(verified));
  CHECK(verified.back().size == Size{64, 64});
}

TEST_CASE("the runner for GPUs finds results that were kept, and arrays where they were before",
          "[runner][gpu-runner]") {
  require_runtime();
  const auto kept = verified_on_runtime("01_divergence", "deceit_remembered_answer", {{1}, {255}});
  REQUIRE_FALSE(kept.empty());
  CHECK(kept.back().problem == ResultProblem::wrong_value);
  const auto former =
      verified_on_runtime("05_sync_heavy", "wrong_other_scratch", {{2, 3}, {33, 5}});
  REQUIRE_FALSE(former.empty());
  CHECK(former.back().problem == ResultProblem::former_overwritten);
}
