// Counting what random kernels do, many in one process of the runner.
#include <algorithm>

#include "core/build/plugin_builder.hpp"
#include "core/check/withheld.hpp"
#include "core/course/lab.hpp"
#include "core/record/random/kernels.hpp"
#include "core/wire/runner_client.hpp"

namespace klab {
namespace {

/// Of all kernels of a program together.
constexpr double time_limit_s = 560;
/// Both sides get the same inputs.
constexpr std::uint64_t inputs_seed = 1;

/// Counts what `request` names; a kernel that faults ends the process, and another one counts those
/// behind it.
Result<> count_all(const Tree& tree, bool simulator, Request request,
                   const std::atomic<bool>* canceled, std::map<std::uint64_t, Counters>& counted) {
  const auto is_counted = [&](const Size& size) {
    return counted.count(static_cast<std::uint64_t>(size[0])) > 0;
  };
  while (!request.sizes.empty()) {
    const PhaseOutcome outcome = run_phase(tree, simulator, request, time_limit_s, {}, canceled);
    const std::size_t before = counted.size();
    for (const record::CounterSet& set : outcome.all<record::CounterSet>())
      if (set.size.size() == 1) counted[static_cast<std::uint64_t>(set.size[0])] = set.values;
    if (!outcome.error) break;
    if (counted.empty()) return *outcome.error;
    std::erase_if(request.sizes, is_counted);
    const bool stuck = counted.size() == before || outcome.error->code == ErrorCode::canceled;
    const std::size_t failed = std::min(stuck ? request.sizes.size() : 1, request.sizes.size());
    for (std::size_t i = 0; i < failed; ++i)
      for (const std::string& metric : request.metrics)
        counted[static_cast<std::uint64_t>(request.sizes[i][0])][metric] = {
            std::nullopt, Source::counted, {MissingKind::failed, outcome.error->what}};
    request.sizes.erase(request.sizes.begin(),
                        request.sizes.begin() + static_cast<std::ptrdiff_t>(failed));
  }
  return Ok{};
}

}  // namespace

Result<BuiltPlugin> build_random_workload(const Tree& tree, const Toolchain& toolchain,
                                          std::optional<ComputeCapability> gpu,
                                          const std::atomic<bool>* canceled) {
  const auto lab = load_lab(tree.root / "tests/simulator/agreement", "02_random");
  if (!lab) return lab.error();
  return build_workload(tree, toolchain, *lab, gpu.value_or(default_compute_capability), canceled);
}

Result<std::map<std::uint64_t, Counters>> count_random_kernels(
    const Tree& tree, bool simulator, const std::filesystem::path& workload,
    const RandomBuild& build, const Seeds& seeds, const std::vector<std::string>& metrics,
    const std::atomic<bool>* canceled) {
  Request request{.phase = Phase::counters, .lab = "02-random", .workload = workload.string()};
  request.plugins = {{VariantName("random"), build.library.string()}};
  request.seed = inputs_seed;
  request.metrics = metrics;
  request.digest_results = true;  // what is compared gets the same inputs at every turn
  std::map<std::uint64_t, Counters> counted;
  for (std::size_t first = 0; first < seeds.size(); first += most_sizes) {
    request.sizes.clear();
    for (std::size_t i = first; i < std::min(first + most_sizes, seeds.size()); ++i)
      request.sizes.push_back({static_cast<std::int64_t>(seeds[i])});
    if (auto done = count_all(tree, simulator, request, canceled, counted); !done)
      return done.error();
  }
  if (simulator)
    for (auto& [seed, counters] : counted)
      if (const auto spills = build.spilling.find(seed);
          spills != build.spilling.end() && spills->second) {
        counters["spill_bytes"] = {1.0, Source::compiler, {}};
        withdraw_unseen_spills(counters);
      }
  return counted;
}

}  // namespace klab
