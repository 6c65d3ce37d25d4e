// The phase verify of a kernel file on the simulator, from a test.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/build/plugin_builder.hpp"
#include "core/wire/runner_client.hpp"
#include "support/checking.hpp"

namespace klab::test {

struct Verifying {
  std::vector<Size> sizes{};  ///< instead of the lab's for checking
  std::vector<Size> huge{};   ///< in front of the lab's
  std::optional<std::uint64_t> instruction_budget{};
  double patience_s = 300;
};

/// The lab's optimized version where `source` is empty.
inline PhaseOutcome verified(const std::string& folder, const std::filesystem::path& source,
                             const Verifying& how = {}) {
  require_backend(Backend::simulator);
  const auto lab = load_lab(KLAB_SOURCE_DIR, folder);
  const auto toolchain = find_toolchain(tree());
  REQUIRE(lab);
  REQUIRE(toolchain);
  const auto workload = build_workload(tree(), *toolchain, *lab, default_compute_capability);
  const auto built =
      build_plugin(tree(), *toolchain, *lab, VariantName::optimized,
                   source.empty() ? lab->optimized() : source, default_compute_capability);
  REQUIRE(workload);
  REQUIRE(built);
  std::vector<Size> huge = how.huge;
  huge.insert(huge.end(), lab->sizes.huge.begin(), lab->sizes.huge.end());
  const Request request{.phase = Phase::verify,
                        .lab = lab->id,
                        .workload = workload->library.string(),
                        .plugins = {{VariantName::mine, built->library.string()}},
                        .sizes = how.sizes.empty() ? lab->sizes.checking : how.sizes,
                        .huge = huge,
                        .instruction_budget = how.instruction_budget,
                        .patience_s = how.patience_s};
  return run_phase(tree(), true, request, 300);
}

}  // namespace klab::test
