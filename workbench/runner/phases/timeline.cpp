// A run: the kernel file's launch, then the harness waits for the device. Between runs the harness
// restores the inputs, which is not recorded.
#include "runner/phases/timeline.hpp"

#include "core/investigate/timeline.hpp"
#include "runner/device/nvtx_range.hpp"
#include "runner/device/runner_error.hpp"
#include "runner/phases/launch.hpp"
#include "runner/phases/platform.hpp"
#include "runner/phases/trial.hpp"

namespace klab::runner {
namespace {

/// Enough to see what differs from run to run, few enough to take them in at once.
constexpr int runs_recorded = 3;

TimelineRun run_once(PhaseSetup& setup, const Plugin& plugin, const void* args, int number,
                     const TimelineSource& source) {
  TimelineRun run;
  run.begin_ns = source.now();
  {
    const NvtxRange range("run " + std::to_string(number));
    {
      const NvtxRange launching("launch");
      plugin.launch(args, setup.stream.get());
    }
    run.launched_ns = source.now();
    const NvtxRange waiting("harness waits for the device");
    require_launched(setup, plugin);
    wait_for_device(setup, plugin);
  }
  run.end_ns = source.now();
  return run;
}

VariantTimeline record_runs(PhaseSetup& setup, const Plugin& plugin, Trial& trial,
                            TimelineSource& source) {
  const std::uint64_t seed = derived_seed(setup.request.seed, trial.size(), 0);
  const auto make_ready = [&] {
    trial.prepare(plugin, seed);
    trial.deliver(plugin);
  };
  make_ready();
  // The first launch loads the kernels, and CUPTI prepares them.
  trial.launch(plugin);
  wait_for_device(setup, plugin);
  source.begin();
  std::vector<TimelineRun> runs;
  for (int number = 1; number <= runs_recorded; ++number) {
    forget_errors();
    make_ready();
    runs.push_back(run_once(setup, plugin, trial.args(), number, source));
  }
  return source.end(plugin.variant(), std::move(runs));
}

}  // namespace

void record_timeline(PhaseSetup& setup) {
  const Size& size = setup.request.sizes.front();
  Trial trial(setup, size, is_simulated() ? Where::host : Where::device);
  const auto source = make_timeline_source();
  int done = 0;
  for (const Plugin& plugin : setup.plugins) {
    setup.out.progress("timeline " + plugin.variant().name(), ++done,
                       static_cast<int>(setup.plugins.size()));
    try {
      for (const Record& record : timeline_records(record_runs(setup, plugin, trial, *source)))
        setup.out.write(record);
    } catch (const RunnerError& failure) {
      // A file that cannot be launched leaves the others traceable; anything else does not.
      if (failure.error().code != ErrorCode::launch_failed) throw;
      setup.out.write(record::Failure{failure.error(), plugin.variant()});
    }
  }
}

}  // namespace klab::runner
