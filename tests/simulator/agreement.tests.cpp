// The simulator's side of the comparison with a GPU, run again: by the real runner, from the real
// plan.
#include "core/record/agreement.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/base/files.hpp"
#include "core/check/machine.hpp"
#include "support/checking.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using namespace klab::test;

namespace {

Result<AgreementSide> side_of(const Tree& tree, const AgreementPlan& plan,
                              const Comparand& comparand, bool simulator,
                              ComputeCapability capability) {
  const auto toolchain = find_toolchain(tree);
  REQUIRE(toolchain);
  return run_side(tree, *toolchain, plan, comparand, simulator, capability);
}

}  // namespace

TEST_CASE("The simulator's side of every recorded agreement is unchanged",
          "[simulator][agreement]") {
  require_backend(Backend::simulator);
  const auto plan = load_agreement_plan(tree().root);
  const auto recordings = load_agreements(tree().root);
  REQUIRE((plan && recordings));
  if (recordings->empty()) SKIP("no GPU has been compared yet");
  for (const Agreement& recorded : *recordings) {
    Agreement now;
    for (const Comparand& comparand : comparands(*plan, load_course(tree().root))) {
      const auto ours =
          side_of(tree(), *plan, comparand, true,
                  recorded.device.compute_capability.value_or(default_compute_capability));
      REQUIRE(ours);
      auto kernel = compared(*plan, tree().root, comparand, *ours, {});
      REQUIRE(kernel);
      now.kernels.push_back(std::move(*kernel));
    }
    // If not: `./klab course agree` on that GPU, then `./klab course agree --report`.
    for (const std::string& line : changes(recorded, now))
      if (line.ends_with(source_has_changed))
        WARN(line);
      else
        FAIL_CHECK(line);
  }
}

TEST_CASE("Every pattern runs, and counts and writes the same again", "[simulator][agreement]") {
  require_backend(Backend::simulator);
  const auto plan = load_agreement_plan(tree().root);
  REQUIRE(plan);
  // A second simulator in the GPU's place: the whole way from plan to verdict, without a GPU.
  const TemporaryFolder folder;
  Tree twins = tree();
  twins.build = folder.path();
  std::filesystem::create_directories(folder.path() / "bin");
  for (const bool simulator : {true, false})
    std::filesystem::create_symlink(tree().runner(true), twins.runner(simulator));
  std::filesystem::create_directory_symlink(tree().plugins(), twins.plugins());

  Agreement agreement;
  for (const Comparand& comparand : comparands(*plan, {})) {
    CAPTURE(comparand.kernel);
    const auto ours = side_of(twins, *plan, comparand, true, default_compute_capability);
    const auto theirs = side_of(twins, *plan, comparand, false, default_compute_capability);
    REQUIRE((ours && theirs));
    CHECK(ours->correct);
    CHECK(ours->digest.size() == 64);
    auto kernel = compared(*plan, tree().root, comparand, *ours, *theirs);
    REQUIRE(kernel);
    const auto executed = ours->counters.at("kernels_executed").value;
    CHECK(executed.value_or(0) >= 1);
    agreement.kernels.push_back(std::move(*kernel));
  }
  for (const std::string& line : unexplained(*plan, agreement)) FAIL_CHECK(line);
}
