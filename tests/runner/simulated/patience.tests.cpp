// A kernel that is only slow is none that never ends.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/build/plugin_builder.hpp"
#include "core/wire/runner_client.hpp"
#include "support/checking.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;

namespace {

/// The phase verify of a right kernel on the simulator.
PhaseOutcome verified(double patience_s, const std::vector<Size>& sizes,
                      std::optional<std::uint64_t> budget) {
  test::require_backend(Backend::simulator);
  const auto lab = load_lab(KLAB_SOURCE_DIR, "02_coalescing");
  const auto toolchain = find_toolchain(test::tree());
  REQUIRE(lab);
  REQUIRE(toolchain);
  const auto workload = build_workload(test::tree(), *toolchain, *lab, default_compute_capability);
  const auto built = build_plugin(test::tree(), *toolchain, *lab, VariantName::optimized,
                                  lab->optimized(), default_compute_capability);
  REQUIRE(workload);
  REQUIRE(built);
  const Request request{.phase = Phase::verify,
                        .lab = lab->id,
                        .workload = workload->library.string(),
                        .plugins = {{VariantName::mine, built->library.string()}},
                        .sizes = sizes.empty() ? lab->sizes.checking : sizes,
                        .huge = lab->sizes.huge,
                        .instruction_budget = budget,
                        .patience_s = patience_s};
  return run_phase(test::tree(), true, request, 300);
}

PhaseOutcome verified_within(double patience_s) { return verified(patience_s, {}, {}); }

}  // namespace

TEST_CASE("where the simulator's time is over, what is right so far is said, and no hang",
          "[runner][patience]") {
  const PhaseOutcome outcome = verified_within(0);
  REQUIRE(outcome.error);
  CHECK(outcome.error->code == ErrorCode::too_slow);
  CHECK_THAT(outcome.error->what, ContainsSubstring("Right as far as it was tried, at 0 of "));
  CHECK(outcome.all<record::Verified>().empty());
}

TEST_CASE("with time enough every size is tried, those in part too", "[runner][patience]") {
  const PhaseOutcome outcome = verified_within(300);
  CHECK_FALSE(outcome.error);
  const auto verified = outcome.all<record::Verified>();
  REQUIRE_FALSE(verified.empty());
  for (const record::Verified& one : verified) CHECK(one.correct);
}

TEST_CASE("a launch that is sure to take more instructions than it is given is slow, and no hang",
          "[runner][patience]") {
  constexpr std::uint64_t budget = 60'000;
  const PhaseOutcome slow = verified(300, {{10, 100}, {3000, 1000}}, budget);
  REQUIRE(slow.error);
  CHECK(slow.error->code == ErrorCode::too_slow);
  CHECK_THAT(slow.error->what, ContainsSubstring("at 1 of 2 sizes; then a launch took more"));
  CHECK(slow.all<record::Finding>().empty());
  // Where nothing smaller says so, it may as well be endless.
  const PhaseOutcome first = verified(300, {{3000, 1000}}, budget);
  REQUIRE(first.error);
  CHECK(first.error->code == ErrorCode::hang);
}
