#include "runner/simulated/turns.hpp"

#include "runner/device/runner_error.hpp"
#include "runner/simulated/part_run.hpp"
#include "runner/simulated/results_in_part.hpp"
#include "runner/simulated/simulator_link.hpp"

namespace klab::runner {
namespace {

/// What follows from one block alone, whatever the others would have done.
bool is_of_one_block(FindingKind kind) {
  switch (kind) {
    case FindingKind::shared_race:
    case FindingKind::warp_race:
    case FindingKind::unfinished_copy:
    case FindingKind::unfenced_copy:
    case FindingKind::barrier_divergence:
      return true;
    default:
      return false;
  }
}

/// A block whose threads wait for each other does so whatever the others would have done.
void throw_deadlock(const Plugin& plugin, const Size& size, const SimulatorReport& report) {
  if (report.left_out.deadlocks == 0 || report.messages.empty()) return;
  throw RunnerError(
      make_error(ErrorCode::hang, report.messages.back() + " This is at the size " +
                                      to_string(size) + ", in the first turns of a block."),
      plugin.variant());
}

/// What the launch came to, also where it did not come to its end; nullopt where it says nothing.
std::optional<SimulatorReport> run(PhaseSetup& setup, const Plugin& plugin,
                                   const PartBuffers& buffers, const Part& part) {
  SimulatorReport report;
  configure(part);
  try {
    if (run_part(setup, plugin, buffers, part, &report) == Ran::several_kernels)
      return std::nullopt;
  } catch (const RunnerError& failure) {
    // Another look would find what the first one left: its calls may fail for that alone.
    if (failure.error().code == ErrorCode::launch_failed) throw;
    // What a check found has ended the launch.
  }
  return report;
}

}  // namespace

void look_at_turns(PhaseSetup& setup, const Plugin& plugin, const Size& size) {
  // Once for a block that does far more in its first turn than is usual.
  constexpr std::uint64_t longer = 4;
  const bool is_first = !setup.request.huge.empty() && size == setup.request.huge.front();
  const PartBuffers buffers(*setup.workload, size, setup.request.seed);
  Part part{.blocks = 1,
            .first = 0,
            .times_the_budget = is_first ? longer : 1,
            .of_several = true,
            .turns = true};
  const auto touched = run(setup, plugin, buffers, part);
  if (!touched || touched->left_out.uncertain > 0) return;
  const RealInputs real(*setup.workload, buffers.stretches(), buffers.problem());
  if (!real.complete()) return;
  part.checked = true;
  const auto looked = run(setup, plugin, buffers, part);
  if (!looked || looked->left_out.uncertain > 0) return;
  for (record::Finding finding : looked->findings) {
    if (!is_of_one_block(finding.kind)) continue;
    finding.variant = plugin.variant();
    finding.message += " This is at the size " + to_string(size) +
                       ", where a block's loop over the grid comes round again.";
    setup.out.write(finding);
  }
  throw_deadlock(plugin, size, *looked);
}

}  // namespace klab::runner
