// A run: the kernel file's launch, then the harness waits for the device. Between runs the harness
// restores the inputs, which is not recorded.
#include "runner/phases/timeline.hpp"

#include "core/investigate/timeline.hpp"
#include "runner/device/nvtx_range.hpp"
#include "runner/device/runner_error.hpp"
#include "runner/phases/launch.hpp"
#include "runner/phases/platform.hpp"
#include "runner/phases/verify.hpp"
#include "runner/problem/problem_memory.hpp"

namespace klab::runner {
namespace {

/// Enough to see what differs from run to run, few enough to take them in at once.
constexpr int runs_recorded = 3;

TimelineRun run_once(Session& session, const Plugin& plugin, const void* args, int number,
                     const TimelineSource& source) {
  TimelineRun run;
  run.begin_ns = source.now();
  {
    const NvtxRange range("run " + std::to_string(number));
    {
      const NvtxRange launching("launch");
      plugin.launch(args, session.stream.get());
    }
    run.launched_ns = source.now();
    const NvtxRange waiting("harness waits for the device");
    require_launched(session, plugin);
    wait_for_device(session, plugin);
  }
  run.end_ns = source.now();
  return run;
}

VariantTimeline record_runs(Session& session, const Plugin& plugin, ProblemMemory& memory,
                            TimelineSource& source) {
  memory.prepare(first_poison, session.stream.get());
  const void* args = session.workload->bind(memory.working());
  // The first launch loads the kernels, and CUPTI prepares them.
  launch(session, plugin, args);
  wait_for_device(session, plugin);
  source.begin();
  std::vector<TimelineRun> runs;
  for (int number = 1; number <= runs_recorded; ++number) {
    forget_errors();
    memory.refresh(session.stream.get());
    wait_for_device(session, plugin);
    runs.push_back(run_once(session, plugin, args, number, source));
  }
  return source.end(plugin.variant(), std::move(runs));
}

}  // namespace

void record_timeline(Session& session) {
  const Size& size = session.request.sizes.front();
  ProblemMemory memory(*session.workload, size, is_simulated() ? Where::host : Where::device,
                       guard_around_buffers());
  memory.fill(*session.workload, derived_seed(session.request.seed, size, 0));
  const auto source = make_timeline_source();
  int done = 0;
  for (const Plugin& plugin : session.plugins) {
    session.out.progress("timeline " + plugin.variant(), ++done,
                         static_cast<int>(session.plugins.size()));
    try {
      for (const Record& record : timeline_records(record_runs(session, plugin, memory, *source)))
        session.out.write(record);
    } catch (const RunnerError& failure) {
      // A file that cannot be launched leaves the others traceable; anything else does not.
      if (failure.error().code != ErrorCode::launch_failed) throw;
      session.out.write(record::Failure{failure.error(), plugin.variant()});
    }
  }
}

}  // namespace klab::runner
