// Recording one kernel file's timeline with the real runner, on a GPU or on the simulator.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>

#include "core/base/text/kernel_name.hpp"
#include "core/build/plugin_builder.hpp"
#include "core/course/lab.hpp"
#include "core/investigate/timeline.hpp"
#include "core/wire/runner_client.hpp"
#include "support/checking.hpp"
#include "support/in_full.hpp"

namespace klab::test {

/// How often the runner launches what it records.
inline constexpr std::int64_t recorded_runs = 3;

/// Records `source` as a kernel file of `lab` at `size`.
inline std::shared_ptr<const TracedVariant> recorded_timeline(const Lab& lab,
                                                              const std::filesystem::path& source,
                                                              const Size& size, bool simulator) {
  const Tree here = tree();
  const auto toolchain = find_toolchain(here);
  REQUIRE(toolchain);
  const ComputeCapability capability = simulator ? default_compute_capability : built_for(here);
  const auto workload = build_workload(here, *toolchain, lab, capability);
  REQUIRE(workload);
  const auto plugin = build_plugin(here, *toolchain, lab, VariantName::flawed, source, capability);
  if (!plugin) FAIL(klab::test::in_full(plugin.error()));
  const auto outcome = run_phase(here, simulator,
                                 {.phase = Phase::timeline,
                                  .lab = lab.id,
                                  .workload = workload->library.string(),
                                  .plugins = {{VariantName::flawed, plugin->library.string()}},
                                  .sizes = {size}},
                                 60);
  if (outcome.error && outcome.error->code == ErrorCode::profiler_attached)
    SKIP(outcome.error->what);
  if (outcome.error) FAIL(klab::test::in_full(*outcome.error));
  const auto timeline = assemble_timeline(outcome.records);
  REQUIRE(timeline);
  REQUIRE(timeline->variants.size() == 1);
  const auto& traced = timeline->variants.front();
  CHECK(traced->recorded.dropped_over_limit == 0);
  CHECK(traced->recorded.dropped_by_profiler == 0);
  REQUIRE(traced->analysis.runs.size() == recorded_runs);
  return traced;
}

inline Lab lab_in(const std::filesystem::path& root, const std::string& folder) {
  const auto lab = load_lab(root, folder);
  REQUIRE(lab);
  return *lab;
}

inline std::int64_t count_of(const TracedVariant& traced, TrackKind kind, const std::string& name) {
  std::int64_t count = 0;
  for (const NameRow& row : traced.analysis.names)
    if (row.kind == kind && short_name(row.name).starts_with(name)) count += row.count;
  return count;
}

}  // namespace klab::test
