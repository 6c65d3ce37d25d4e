// A run: the kernel file's launch, then the harness waits for the device. Between runs the harness
// restores the inputs, which is not recorded.
#include "runner/timeline.hpp"

#include "core/timeline.hpp"
#include "runner/launch.hpp"
#include "runner/nvtx_range.hpp"
#include "runner/problem_memory.hpp"
#include "runner/runner_error.hpp"
#include "runner/timeline_cupti.hpp"
#include "runner/verify.hpp"

namespace klab::runner {
namespace {

/// Enough to see what differs from run to run, few enough to take them in at once.
constexpr int runs_recorded = 3;

TimelineRun run_once(Session& session, const Plugin& plugin, const void* args, int number) {
  TimelineRun run;
  run.begin_ns = steady_now_ns();
  {
    const NvtxRange range("run " + std::to_string(number));
    {
      const NvtxRange launching("launch");
      plugin.launch(args, session.stream.get());
    }
    run.launched_ns = steady_now_ns();
    const NvtxRange waiting("harness waits for the device");
    require_launched(session, plugin);
    wait_for_device(session, plugin);
  }
  run.end_ns = steady_now_ns();
  return run;
}

VariantTimeline record_runs(Session& session, const Plugin& plugin, ProblemMemory& memory,
                            TimelineRecorder& recorder) {
  memory.prepare(first_poison, session.stream.get());
  const void* args = session.workload->bind(memory.working());
  // The first launch loads the kernels, and CUPTI prepares them.
  launch(session, plugin, args);
  wait_for_device(session, plugin);
  recorder.begin();
  std::vector<TimelineRun> runs;
  for (int number = 1; number <= runs_recorded; ++number) {
    memory.refresh(session.stream.get());
    wait_for_device(session, plugin);
    forget_errors();
    runs.push_back(run_once(session, plugin, args, number));
  }
  return recorder.end(plugin.variant(), std::move(runs));
}

}  // namespace

void record_timelines(Session& session) {
  const Size& size = session.request.sizes.front();
  ProblemMemory memory(*session.workload, size, Where::device, guard_bytes);
  memory.fill(*session.workload, derived_seed(session.request.seed, size, 0));
  TimelineRecorder recorder;
  int done = 0;
  for (const Plugin& plugin : session.plugins) {
    session.out.progress("timeline " + plugin.variant(), ++done,
                         static_cast<int>(session.plugins.size()));
    try {
      for (const Record& record : timeline_records(record_runs(session, plugin, memory, recorder)))
        session.out.write(record);
    } catch (const RunnerError& failure) {
      // A file that cannot be launched leaves the others traceable; anything else does not.
      if (failure.error().code != ErrorCode::launch_failed) throw;
      session.out.write(record::Failure{failure.error(), plugin.variant()});
    }
  }
}

}  // namespace klab::runner
