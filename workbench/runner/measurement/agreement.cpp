// The kernel file measures first, so that the first run of a job is its own; then the harness does.
#include "runner/measurement/agreement.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/measure/statistics.hpp"
#include "runner/device/cuda_check.hpp"
#include "runner/device/nvtx_range.hpp"
#include "runner/device/runner_error.hpp"
#include "runner/phases/launch.hpp"
#include "runner/phases/platform.hpp"
#include "runner/phases/trial.hpp"

namespace klab::runner {
namespace {

using Clock = std::chrono::steady_clock;

/// The turns of a request that are no turn of another phase.
constexpr std::uint64_t first_turn = std::uint64_t{1} << 33;

/// Problems that each kernel file measures; of their largest errors the median counts, so that one
/// disturbance refuses nobody. Nothing disturbs a clock that counts: there the worst counts.
int rounds() { return is_simulated() ? 2 : 3; }
double telling(std::vector<double> errors) {
  return is_simulated() ? *std::max_element(errors.begin(), errors.end())
                        : median(std::move(errors)).value_or(0);
}
/// Runs whose median is the truth of a job, and runs before them.
int true_runs() { return is_simulated() ? 1 : 31; }
constexpr int runs_before = 2;

Where where_measured() { return is_simulated() ? Where::host : Where::device; }

/// What one kernel file did with one problem.
struct Round {
  double error_pct = 0;  ///< of the job that was reported worst
  double runs = 0;       ///< of the job that had fewest
  double cold_runs = 0;  ///< the same
  double seconds = 0;    ///< from the call until the device was idle
};

/// Measures jobs as the contract says: a run that finds nothing of its own in a cache, on a stream
/// that is not idle when the clock starts, since it is still forgetting.
class TrueClock {
 public:
  explicit TrueClock(cudaStream_t stream)
      : stream_(stream), start_(make_event()), stop_(make_event()) {}

  double seconds(Jobs& jobs, int job) const {
    for (int i = 0; i < runs_before; ++i) once(jobs, job);
    std::vector<double> runs;
    for (int i = 0; i < true_runs(); ++i) runs.push_back(once(jobs, job));
    return median(runs).value_or(0);
  }

 private:
  double once(Jobs& jobs, int job) const {
    jobs.forget(stream_);
    check_cuda(cudaEventRecord(start_.get(), stream_));
    jobs.run(job, stream_);
    check_cuda(cudaEventRecord(stop_.get(), stream_));
    check_cuda(cudaEventSynchronize(stop_.get()));
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()));
    return milliseconds * 1e-3;
  }

  cudaStream_t stream_;
  Event start_, stop_;
};

/// Absent where the kernel file did something that is not accepted; that is then written.
std::optional<Round> measure_once(PhaseSetup& setup, const Plugin& plugin, Trial& trial,
                                  std::uint64_t seed) {
  trial.prepare(plugin, seed);
  trial.deliver(plugin);
  const Clock::time_point began = Clock::now();
  trial.launch(plugin);
  wait_for_device(setup, plugin);
  Round round;
  round.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  trial.capture(plugin);
  if (const record::Verified verified = trial.verify(plugin); !verified.correct) {
    setup.out.write(verified);
    return std::nullopt;
  }
  Jobs& jobs = *trial.jobs();
  round.runs = jobs.runs(0);
  round.cold_runs = jobs.cold_runs(0);
  for (int job = 1; job < jobs.count(); ++job) {
    round.runs = std::min<double>(round.runs, jobs.runs(job));
    round.cold_runs = std::min<double>(round.cold_runs, jobs.cold_runs(job));
  }
  const TrueClock clock(setup.stream.get());
  for (int job = 0; job < jobs.count(); ++job) {
    const double truth = clock.seconds(jobs, job);
    const double off = std::abs(jobs.reported_s(job) - truth) / truth;
    round.error_pct = std::max(round.error_pct, 100 * off);
  }
  return round;
}

record::CounterSet counters_of(const Plugin& plugin, const std::vector<Round>& seen) {
  const auto each = [&](double Round::*field) {
    std::vector<double> values;
    for (const Round& round : seen) values.push_back(round.*field);
    return values;
  };
  const auto middle = [&](double Round::*field) { return median(each(field)).value_or(0); };
  const auto fewest = [&](double Round::*field) {
    const auto values = each(field);
    return is_simulated() ? *std::min_element(values.begin(), values.end()) : middle(field);
  };
  const Source source = is_simulated() ? Source::modelled : Source::measured;
  record::CounterSet set;
  set.variant = plugin.variant();
  set.values["reported_error_pct"] = {telling(each(&Round::error_pct)), source, {}};
  set.values["job_runs"] = {fewest(&Round::runs), Source::counted, {}};
  set.values["cold_runs"] = {fewest(&Round::cold_runs), Source::counted, {}};
  set.values["benchmark_seconds"] = {middle(&Round::seconds), Source::measured, {}};
  if (is_simulated())
    set.values["benchmark_seconds"] = {std::nullopt, Source::measured, {MissingKind::needs_gpu}};
  return set;
}

/// Several rounds of the first problem, and one of each other that the request names: where the
/// clock counts, these have more jobs than tables and rings of a usual size hold. Nothing where one
/// was not accepted.
std::vector<Round> rounds_of(PhaseSetup& setup, const Plugin& plugin, Trial& trial) {
  std::vector<Round> seen;
  const auto measure = [&](Trial& one, const Size& size, int turn) {
    const auto seed = derived_seed(setup.request.seed, size, first_turn + turn);
    const auto round = measure_once(setup, plugin, one, seed);
    if (round) seen.push_back(*round);
    return round.has_value();
  };
  const std::vector<Size>& sizes = setup.request.sizes;
  for (int i = 0; i < rounds(); ++i)
    if (!measure(trial, sizes.front(), i)) return {};
  for (std::size_t i = 1; i < sizes.size(); ++i)
    if (Trial other(setup, sizes[i], where_measured()); !measure(other, sizes[i], 0)) return {};
  return seen;
}

}  // namespace

void agreement(PhaseSetup& setup) {
  Trial trial(setup, setup.request.sizes.front(), where_measured());
  if (trial.jobs() == nullptr)
    throw RunnerError(make_error(ErrorCode::usage, "This lab's kernel file measures nothing.",
                                 "Its workload.cu must say which jobs there are to measure."));
  int done = 0;
  for (const Plugin& plugin : setup.plugins) {
    const NvtxRange range("agreement", plugin.variant());
    setup.out.progress("agreement " + plugin.variant().name(), ++done,
                       static_cast<int>(setup.plugins.size()));
    const std::vector<Round> seen = rounds_of(setup, plugin, trial);
    if (!seen.empty()) setup.out.write(counters_of(plugin, seen));
  }
}

}  // namespace klab::runner
