// Usual and unusual inputs, other memory and streams; findings, costs and what is kept.
#include "runner/verify/size_check.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/measure/least_work.hpp"
#include "runner/device/runner_error.hpp"
#include "runner/phases/last_launch.hpp"
#include "runner/phases/platform.hpp"
#include "runner/problem/least_work.hpp"
#include "runner/problem/where_to_check.hpp"

namespace klab::runner {

void report_findings(PhaseSetup& setup, const Plugin& plugin, bool right) {
  for (const record::Finding& finding : take_findings(plugin.variant()))
    if (!right || !is_fine_if_right(finding.kind)) setup.out.write(finding);
}

namespace {

Where where_checked(const PhaseSetup& setup, const Size& size) {
  return is_simulated() ? Where::host : where_to_check(*setup.workload, size);
}

/// In its scope launches are given another stream: one that was kept from the first launch is not
/// the given one any more.
class OnAnotherStream {
 public:
  explicit OnAnotherStream(PhaseSetup& setup) : setup_(setup) { exchange(); }
  ~OnAnotherStream() { exchange(); }
  OnAnotherStream(const OnAnotherStream&) = delete;
  OnAnotherStream& operator=(const OnAnotherStream&) = delete;

 private:
  void exchange() {
    name_stream(setup_.stream.get(), "the stream of an earlier launch");
    std::swap(setup_.stream, setup_.another);
    name_stream(setup_.stream.get(), "the given stream");
  }
  PhaseSetup& setup_;
};

/// What takes longer than this at a size is not launched there again, in seconds: a graph of 70,000
/// kernels that is made anew for each launch, say. It is at all others. Nor is what takes longer
/// than `rather_long`, once such launches have taken `enough_of_long` together: where each step
/// waits for the host, a hundred steps do.
constexpr double long_launch = 0.1, rather_long = 0.002, enough_of_long = 0.1;

/// Operations of a task; in fewer, what random inputs ask for is too far from their mean.
constexpr double many_operations = 2e5;

/// Fewer steps than the task has, at a size at which nobody else counts them.
void tell_fewer_steps(PhaseSetup& setup, const Plugin& plugin, const Size& size) {
  const LeastWork least = least_work(*setup.workload, size);
  if (least.flops() < many_operations || setup.workload->jobs() != nullptr) return;
  Counters values = executed_operations();
  const auto counted = counted_work(least, values);
  if (std::any_of(counted.begin(), counted.end(),
                  [](const CountedWork& work) { return work.falls_short(); }))
    setup.out.write(record::FewerSteps{plugin.variant(), std::move(values), least, size});
}

/// Places that a kernel file uses by turns, at most: more look like a leak.
constexpr int largest_ring = 300;

}  // namespace

SizeCheck::SizeCheck(PhaseSetup& setup, const Size& size, std::set<VariantName>& refused,
                     std::map<VariantName, LeakWatch>& memory, Trial trial)
    : setup_(setup),
      size_(size),
      refused_(refused),
      memory_(memory),
      trial_(std::move(trial)),
      results_(setup.plugins.size()),
      seconds_(setup.plugins.size()),
      shares_(setup.plugins.size()),
      pieces_(setup.plugins.size()) {}

SizeCheck::SizeCheck(PhaseSetup& setup, const Size& size, std::set<VariantName>& refused,
                     std::map<VariantName, LeakWatch>& memory, int launches)
    : SizeCheck(setup, size, refused, memory,
                Trial(setup, size, where_checked(setup, size), launches)) {}

SizeCheck::SizeCheck(PhaseSetup& setup, const Size& size, std::set<VariantName>& refused,
                     std::map<VariantName, LeakWatch>& memory, const SizeCheck& room)
    : SizeCheck(setup, size, refused, memory,
                Trial(setup, size, where_checked(setup, size), room.trial_)) {}

SizeCheck::SizeCheck(PhaseSetup& setup, const std::vector<Size>& row,
                     std::set<VariantName>& refused, std::map<VariantName, LeakWatch>& memory)
    : SizeCheck(setup, row.front(), refused, memory,
                Trial(setup, row, where_checked(setup, row.front()))) {}

void SizeCheck::launch_each(Turn turn) {
  // The same size in other memory: addresses that were kept with the size lead back to the first.
  // Where that memory begins on pages of its own, its arrays come behind the first bytes, as a
  // contract allows them to: who takes a page for granted reads elsewhere. No less than what a
  // texture in plain memory has to begin at, which cudaMalloc() always gives.
  std::optional<OnAnotherStream> on_another;
  if (turn == Turn::elsewhere) on_another.emplace(setup_);
  constexpr std::size_t behind_a_page = 512;
  const std::size_t guard = is_simulated() ? behind_a_page : guard_around_buffers();
  if (turn == Turn::elsewhere)
    elsewhere_.emplace(setup_, size_, where_checked(setup_, size_), 1, guard);
  for (std::size_t i = 0; i < setup_.plugins.size(); ++i) {
    if (is_out(i)) continue;
    const bool first = turn != Turn::unusual && turn != Turn::elsewhere;
    if (first || (results_[i].correct && !takes_long(seconds_[i]))) launch(i, turn);
  }
}

bool SizeCheck::takes_long(double seconds) {
  if (seconds > rather_long) setup_.long_again_s += seconds;
  return seconds > long_launch || (seconds > rather_long && setup_.long_again_s > enough_of_long);
}

bool SizeCheck::tell() const {
  bool right = refused_.empty();
  for (std::size_t i = 0; i < results_.size(); ++i) {
    if (is_out(i)) continue;
    setup_.out.write(results_[i]);
    right &= results_[i].correct;
  }
  return right;
}

std::vector<VariantName> SizeCheck::wrong() const {
  std::vector<VariantName> names;
  for (const record::Verified& result : results_)
    if (!result.size.empty() && !result.correct) names.push_back(result.variant);
  return names;
}

void SizeCheck::tell_cost(Affordable& affordable) const {
  const std::size_t elements = elements_of(*setup_.workload, size_);
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    if (is_out(i)) continue;
    affordable.launched(setup_.plugins[i].variant(), size_, shares_[i]);
    affordable.took(setup_.plugins[i].variant(), size_, elements, pieces_[i]);
  }
}

bool SizeCheck::is_out(std::size_t i) const {
  const VariantName& variant = setup_.plugins[i].variant();
  return refused_.contains(variant) || left_out_.contains(variant);
}

// Results that two machines compare are those of usual inputs.
bool SizeCheck::has_unusual_inputs(Turn turn) const {
  return turn == Turn::unusual && !setup_.request.digest_results;
}

void SizeCheck::prepare(const Plugin& plugin, Trial& trial, Turn turn) const {
  const std::uint64_t seed = derived_seed(setup_.request.seed, turn == Turn::alike ? Size() : size_,
                                          static_cast<std::uint64_t>(turn));
  trial.prepare(plugin, seed, has_unusual_inputs(turn), changed_);
}

/// What launches keep one after the other, now that one has run. The second one of a size finds
/// what was made for the first.
Grown SizeCheck::kept_by(const Plugin& plugin, Trial& trial, Turn turn,
                         const std::optional<Held>& before) {
  const auto after = held();
  // What is noted of a mistake takes memory of its own.
  const auto unless_noted = [](const Grown& leaks) {
    return leaks.any() && has_findings() ? Grown{} : leaks;
  };
  if (turn == Turn::in_a_row)
    return trial.launches() > largest_ring
               ? unless_noted(kept_again(grown(before, after, trial.launches()), plugin, trial))
               : Grown{};
  const Grown kept = grown(before, after);
  LeakWatch& watch = memory_[plugin.variant()];
  const Grown in_a_row = watch.launched(kept);
  if (turn == Turn::same_place || turn == Turn::alike)
    return unless_noted(in_a_row);  // it keeps some whenever the size changes
  const Grown suspect = turn == Turn::unusual ? in_a_row | kept : in_a_row;
  const Grown leaks = kept_on(unless_noted(suspect.without(watch.told)), plugin, trial, turn);
  watch.told = watch.told | leaks;
  return leaks;
}

/// What each launch of a row keeps once more when all of it is launched again. A plan that is kept
/// by the addresses of its arrays is made for each of them, and then there.
Grown SizeCheck::kept_again(Grown kept, const Plugin& plugin, Trial& trial) const {
  if (!kept.any()) return kept;
  prepare(plugin, trial, Turn::in_a_row);
  const auto before = held();
  trial.run(plugin);
  return kept & grown(before, held(), trial.launches());
}

/// What all of some more launches keep that are the same: a ring of places, each made when it is
/// first used, is complete some time.
Grown SizeCheck::kept_on(Grown kept, const Plugin& plugin, Trial& trial, Turn turn) const {
  using Clock = std::chrono::steady_clock;
  constexpr int fewest = 8;
  constexpr std::chrono::seconds long_enough{1};
  const Clock::time_point began = Clock::now();
  for (int i = 0; kept.any() && i < largest_ring; ++i) {
    if (i >= fewest && Clock::now() - began > long_enough) break;
    prepare(plugin, trial, turn);
    const auto before = held();
    trial.run(plugin);
    kept = kept & grown(before, held());
  }
  return kept;
}

void SizeCheck::launch(std::size_t i, Turn turn) {
  const Plugin& plugin = setup_.plugins[i];
  Trial& trial = turn == Turn::elsewhere ? *elsewhere_ : trial_;
  try {
    prepare(plugin, trial, turn);
    const auto before = held();
    largest_host_piece();  // forgets what was taken before
    seconds_[i] = trial.run(plugin).value_or(0);
    pieces_[i] = std::max(pieces_[i], largest_host_piece());
    for (const record::Finding& leak :
         leaks(kept_by(plugin, trial, turn, before), plugin.variant()))
      setup_.out.write(leak);
    if (turn == Turn::usual) {
      shares_[i] = share_of_budget(setup_.request);
      setup_.shared_growth[plugin.variant()].launched(size_, most_dynamic_shared_bytes());
    }
    results_[i] = trial.verify(plugin);
    results_[i].unusual = has_unusual_inputs(turn);
    results_[i].in_other_memory = turn == Turn::elsewhere;
    results_[i].multiprocessors = setup_.request.multiprocessors;
    if (turn == Turn::usual && results_[i].correct) tell_fewer_steps(setup_, plugin, size_);
    report_findings(setup_, plugin, results_[i].correct);
  } catch (const RunnerError& failure) {
    stopped_at_ = share_of_budget(setup_.request);
    deadlocked_ = has_deadlocked();
    report_findings(setup_, plugin, false);
    if (failure.error().code != ErrorCode::launch_failed) throw;
    setup_.out.write(record::Failure{failure.error(), failure.variant()});
    refused_.insert(plugin.variant());
  }
}

}  // namespace klab::runner
