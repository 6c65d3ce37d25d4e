// The order of a check: build, verify, time, counters, trace; each phase in a process of its own.
#include "core/check/check.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "core/base/text.hpp"
#include "core/build/calls/library_symbols.hpp"
#include "core/build/code_listing.hpp"
#include "core/check/machine.hpp"
#include "core/check/phase_requests.hpp"
#include "core/check/prepared_lab.hpp"
#include "core/check/second_look.hpp"
#include "core/check/small_device.hpp"
#include "core/check/withheld.hpp"
#include "core/course/sizes/huge_sizes.hpp"
#include "core/judge/checker_findings.hpp"
#include "core/judge/judge.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/timing/clock_doubt.hpp"
#include "core/timing/gpu_lock.hpp"
#include "core/timing/phase_timing.hpp"
#include "core/timing/phases_ahead.hpp"

namespace klab {
namespace {

/// How often more launches are timed where something else disturbs the clock, and one is counted
/// whose duration is none of the timed ones. Other programs on the machine pass by.
constexpr int most_retimes = 2, most_recounts = 6;

bool is_refusal(const Error& error) {
  return error.code == ErrorCode::profiler_denied ||
         error.code == ErrorCode::profiler_unsupported ||
         error.code == ErrorCode::profiler_attached;
}

/// One check in progress: what was found so far and where to report it.
class CheckRun {
 public:
  CheckRun(const CheckRequest& request, const OnCheckEvent& on_event,
           const std::atomic<bool>& canceled)
      : request_(request),
        on_event_(on_event),
        canceled_(canceled),
        prepared_{
            .lab = request.lab, .tree = request.tree, .seed = request.seed.value_or(fresh_seed())} {
    request_.lab.sizes.huge = huge_sizes(request_.lab, prepared_.seed);
    evidence_.lab = &request_.lab;
    result_.lab = request.lab.id;
    result_.variant = request.variant;
    result_.seed = prepared_.seed;
    result_.date = now_utc();
  }

  CheckResult run() {
    if (prepare() && build()) {
      std::optional<GpuLock> lock;
      if (!evidence_.simulated)
        lock.emplace(
            prepared_.tree,
            [&] {
              tell(CheckEvent::Kind::queued, OwnPhase::check,
                   "Another check is using the GPU; waiting in line.");
            },
            canceled_);
      if (verify() && !request_.quick) time_and_count();
    }
    finish();
    if (ends_beside_) keep_printed(ahead_->at_end(Phase::verify));
    // The GPU is free again: what comes now takes none, and disturbs no clock.
    if (!evidence_.simulated && !request_.quick && result_.verdict != Outcome::fail) look_again();
    if (ahead_) PhasesAhead::let_go(std::move(ahead_));
    return std::move(result_);
  }

 private:
  void tell(CheckEvent::Kind kind, CheckPhase phase, std::string text,
            std::optional<Record> record = {}) {
    if (on_event_) on_event_({kind, phase, std::move(record), std::move(text)});
  }

  bool stop_with(const Error& error) {
    result_.errors.push_back(error);
    evidence_.setup_error = error;
    return false;
  }

  /// Finds the device, the toolkit and the lab's own libraries.
  bool prepare() {
    if (const auto chosen = prepared_.choose(request_.backend, &canceled_); !chosen)
      return stop_with(chosen.error());
    evidence_.simulated = prepared_.chosen.simulator;
    evidence_.device = prepared_.chosen.device;
    result_.backend = backend_of(evidence_.simulated);
    const auto equipped = prepared_.equip();
    result_.device = prepared_.chosen.device;
    return equipped || stop_with(equipped.error());
  }

  bool build() {
    tell(CheckEvent::Kind::phase_started, OwnPhase::build, "Building");
    if (const auto mine = add({VariantName::mine, request_.source}, request_.variant); !mine) {
      result_.errors.push_back(mine.error());
      evidence_.build_error = mine.error();
      return false;
    }
    const BuiltPlugin& mine = prepared_.plugins.front().second;
    evidence_.build_seconds = result_.phase_seconds["build"] = mine.seconds;
    result_.source_digest = mine.source_digest;
    if (const auto added = prepared_.add_workload(&canceled_); !added)
      return stop_with(added.error());
    std::vector<Variant> others{{VariantName::flawed, request_.lab.flawed()}};
    if (request_.with_optimized)
      others.push_back({VariantName::optimized, request_.lab.optimized()});
    for (const Variant& other : others)
      if (const auto added = add(other, other.name); !added) return stop_with(added.error());
    tell(CheckEvent::Kind::phase_ended, OwnPhase::build, "Built");
    return true;
  }

  Result<> add(const Variant& variant, const VariantName& library) {
    auto added = prepared_.add(variant, &canceled_, library);
    if (added) note_compiler(variant.name, prepared_.plugins.back().second);
    return added;
  }

  void note_compiler(const VariantName& variant, const BuiltPlugin& built) {
    result_.compiler[variant] = built.kernels;
    count_by_report(result_.counters[variant], built.kernels, loads_kernels(built.library));
  }

  PhaseOutcome run_one(const Request& request) { return run_one(request, on_event_); }
  PhaseOutcome run_one(const Request& request, const OnCheckEvent& on_event) {
    PhaseOutcome outcome = prepared_.run(request, on_event, canceled_, ahead_.get());
    result_.phase_seconds[std::string(to_string(request.phase))] += outcome.seconds;
    if (outcome.error) result_.errors.push_back(*outcome.error);
    return outcome;
  }

  /// Of the phase that runs the candidate alone.
  void keep_printed(const PhaseOutcome& outcome) {
    const std::string output = outcome.printed();
    result_.printed.text = output.substr(0, longest_printed_bytes);
    result_.printed.left_out_bytes =
        output.size() - result_.printed.text.size() + outcome.left_out_bytes;
  }

  /// Runners may be started before their turn, where a device has memory for so many.
  void look_ahead() {
    if (evidence_.simulated || request_.quick || is_measurement() ||
        !requests_.has_room_for_runners())
      return;
    ahead_ = std::make_unique<PhasesAhead>(prepared_.tree, request_.lab.time_limit_s, &canceled_);
  }

  /// Those of what comes behind verifying.
  void start_ahead() {
    if (!ahead_) return;
    // Devices that wake hold each other up, and who uses one meanwhile: by the host's clock those
    // that are timed are woken behind the others.
    if (!is_timed_last()) ahead_->start(requests_.timing());
    for (const Phase phase : requests_.order_of_counting())
      if (const Request request = requests_.counting(phase);
          phase == Phase::counters || proves_cause(request_.lab, request) ||
          may_need_trace(request_.lab, prepared_.plugins.front().second.library))
        ahead_->start(request);
  }

  bool is_measurement() const { return request_.lab.kind == LabKind::measurement; }

  /// What processors do beside disturbs the host's clock alone: there the look has to be over, and
  /// goes on beside the counters until then.
  bool is_timed_last() const { return request_.lab.timing == TimingMode::wall; }

  /// Of verifying. Its own device first: devices are woken one after the other. Behind the sizes
  /// that are launched whole, few launches are left for a device that wakes to hold up.
  void start_what_is_due(const Record& said, const Request& verifying) {
    if (std::holds_alternative<record::Device>(said)) start_ahead();
    const auto* step = std::get_if<record::Progress>(&said);
    if (step == nullptr || !is_timed_last()) return;
    whole_ones_are_over_ |= step->index && *step->index > std::ssize(verifying.sizes);
    if (whole_ones_are_over_) wake_sides(false);
  }

  /// True if the candidate is right so far, so that timing it makes sense.
  bool verify() {
    const Request request = requests_.verifying();
    evidence_.drawn_sizes = request.sizes.size() - request_.lab.sizes.checking.size();
    look_beside();
    look_ahead();
    // By the host's clock counting comes next, and need not wait until the device is let go of.
    ends_beside_ = ahead_ && is_timed_last() && prepared_.tree.remote.empty();
    if (ends_beside_) ahead_->start(request);
    const PhaseOutcome outcome = run_one(request, [&](const CheckEvent& event) {
      if (event.record) start_what_is_due(*event.record, request);
      if (on_event_) on_event_(event);
    });
    if (!ends_beside_) keep_printed(outcome);
    evidence_.verify_error = outcome.error;
    evidence_.verified = outcome.all<record::Verified>();
    evidence_.fewer_steps = outcome.all<record::FewerSteps>();
    told_ = named_from(prepared_.tree.root, outcome.all<record::Finding>());
    evidence_.findings = findings_for(request_.lab, told_);
    if (is_right() && evidence_.simulated && !request_.quick) verify_on_small_device(request);
    const bool right = is_right();
    if (!right) evidence_.flushes = flushes_small_numbers(prepared_.plugins.front().second.library);
    return right && !evidence_.verified.empty();
  }

  bool is_right() const {
    return !evidence_.verify_error && evidence_.findings.empty() &&
           std::all_of(evidence_.verified.begin(), evidence_.verified.end(),
                       [](const auto& verified) { return verified.correct; });
  }

  /// What is right there tells nothing more; what was not tried there was tried before; and what
  /// may not be launched there was sized for a large device.
  void verify_on_small_device(const Request& verified) {
    if (!asks_for_the_device(prepared_.plugins.front().second.library)) return;
    const int few = few_multiprocessors(result_.seed);
    const PhaseOutcome outcome = run_one(on_small_device(verified, request_.lab.sizes, few));
    for (const record::Verified& one : outcome.all<record::Verified>())
      if (!one.correct) evidence_.verified.push_back(one);
    for (record::Finding& finding : named_from(prepared_.tree.root, outcome.all<record::Finding>()))
      told_.push_back(seen_on_small_device(std::move(finding), few));
    evidence_.findings = findings_for(request_.lab, told_);
    if (outcome.error && outcome.error->code != ErrorCode::launch_failed &&
        is_kernels_fault(*outcome.error))
      evidence_.verify_error = outcome.error;
  }

  void time_and_count() {
    if (is_measurement()) {
      if (looking_) looking_->wait(canceled_);
      return count(Phase::agreement);
    }
    if (evidence_.simulated) return count(Phase::counters);
    if (!is_timed_last()) time_until_told();
    for (const Phase phase : requests_.order_of_counting()) {
      if (is_timed_last()) wake_sides(phase == Phase::counters);
      phase == Phase::counters ? count_until_alike() : count(phase);
    }
    if (!is_timed_last()) return;
    if (looking_) looking_->wait(canceled_);
    time_until_told();
  }

  /// Those that are timed, as soon as nothing else wakes; `waits`: for that, since the counters
  /// take as long as waking does.
  void wake_sides(bool waits) {
    if (!ahead_ || (!waits && !ahead_->are_awake())) return;
    ahead_->wait_until_awake();
    ahead_->start(requests_.timing());
  }

  /// Now and then something else holds up the launch that is counted, whatever its kernel does.
  void count_until_alike() {
    count(Phase::counters);
    for (int again = 1; again <= most_recounts && took_another_time(result_, evidence_); ++again)
      count(Phase::counters, again);
  }

  void time_until_told() {
    measure_ceilings();
    time();
    for (; evidence_.timed_before < most_retimes && tells_nothing_of_time(); time())
      ++evidence_.timed_before;
  }

  /// The first check on a device does it; what cannot be measured is said by the gates that need
  /// it.
  void measure_ceilings() {
    const auto say = [&](const std::string& text) {
      tell(CheckEvent::Kind::phase_started, Phase::ceilings, text);
    };
    if (auto ceilings = ceilings_of(prepared_.tree, evidence_.device, true, say, &canceled_))
      evidence_.ceilings = *ceilings;
  }

  /// In place of what was timed before, if anything was, and on other inputs.
  void time() {
    Request request = requests_.timing();
    request.seed += static_cast<std::uint64_t>(evidence_.timed_before);
    const PhaseOutcome outcome = run_one(request);
    evidence_.time_error = outcome.error;
    // What was wrong before stays so.
    for (const record::Verified& one : outcome.all<record::Verified>())
      evidence_.verified_timed.push_back(one);
    evidence_.timed = timed_by(outcome);
    evidence_.timing = result_.timing = timing_of(outcome);
  }

  /// Neither pass nor fail, and for no reason that lies in the kernel for sure.
  bool tells_nothing_of_time() const {
    if (canceled_ || !evidence_.timed ||
        !are_disturbed(evidence_.timing, *evidence_.timed, request_.lab.timing))
      return false;
    const std::vector<Gate> gates = judge(evidence_).gates;
    return std::any_of(gates.begin(), gates.end(), [](const Gate& gate) {
      return gate.name == GateName::time && gate.outcome == Outcome::inconclusive;
    });
  }

  /// Counters or trace. `again`: in place of what was counted before, on other inputs.
  void count(Phase phase, int again = 0) {
    Request request = requests_.counting(phase);
    request.seed += static_cast<std::uint64_t>(again);
    const bool tells_cause = proves_cause(request_.lab, request);
    // Of hardware counters the work is looked at, too, whatever the cause is.
    const bool needed = tells_cause || phase == Phase::counters || needs_trace(result_, evidence_);
    if (canceled_ || request.metrics.empty() || (!needed && !request_.with_optimized)) return;
    const PhaseOutcome outcome = run_one(request);
    if (phase == Phase::agreement) evidence_.time_error = outcome.error;
    // A machine that refuses counters still proves a cause that needs none.
    if (outcome.error && !tells_cause && is_refusal(*outcome.error)) result_.errors.pop_back();
    for (const record::Verified& wrong : outcome.all<record::Verified>())
      if (wrong.variant == VariantName::mine) evidence_.verified_counted.push_back(wrong);
    for (const record::CounterSet& set : outcome.all<record::CounterSet>()) {
      if (set.variant == VariantName::mine) {
        evidence_.counted_least = set.least;
        if (phase == Phase::counters) evidence_.counted_shape = set.shape;
      }
      for (const auto& [name, counter] : set.values) {
        CounterValue& known = result_.counters[set.variant][name];
        if (!known.value || (again > 0 && counter.value)) known = counter;
      }
    }
    if (!outcome.error) return;
    for (const std::string& name : request.metrics) {
      CounterValue& counter = result_.counters[VariantName::mine][name];
      if (!counter.value && counter.reason.empty()) counter.reason = missing_by(*outcome.error);
    }
  }

  /// Takes no GPU, so it can go on beside all that the host's clock has no part in. A measurement
  /// has no work to count.
  void look_beside() {
    if (evidence_.simulated || request_.quick || !RunningLook::has_processors()) return;
    std::optional<Request> to_count;
    if (!is_measurement()) to_count = requests_.counting_on_simulator();
    looking_.emplace(prepared_.tree, requests_.looking(), std::move(to_count));
  }

  void look_again() {
    if (canceled_ || evidence_.verified.empty() || evidence_.verify_error) return;
    const OwnPhase phase = OwnPhase::second_look;
    tell(CheckEvent::Kind::phase_started, phase,
         "Looking for races and stray accesses on the simulator");
    SecondLook look = looking_ ? looking_->wait(canceled_)
                               : second_look(prepared_.tree, requests_.looking(), canceled_);
    // Apart from what is found, so that neither keeps the other from being known.
    const auto work = requests_.work_on_simulator(evidence_);
    if (work) {
      count_work(prepared_.tree, *work, look, canceled_);
    } else {
      // Beside the look it was counted before anybody knew whether the task has operations.
      look.counted.reset();
      look.not_counted.clear();
    }
    tell(CheckEvent::Kind::phase_ended, phase, "Looked on the simulator");
    result_.phase_seconds["second look"] = look.seconds;
    evidence_.second_look = std::move(look);
    conclude();
  }

  void conclude() {
    Judgement judgement = judge(evidence_);
    result_.gates = std::move(judgement.gates);
    result_.rungs = std::move(judgement.rungs);
    result_.score = judgement.score;
    result_.verdict = combine(result_.gates);
    result_.conclusion = conclusion(result_.gates);
    if (was_stopped(result_)) leave_stopped(result_);
    if (request_.quick) leave_unasked(result_);
    if (request_.hides_causes) hide_causes(result_, request_.lab.slug);
  }

  void finish() {
    if (evidence_.simulated)
      for (auto& [variant, counters] : result_.counters) withdraw_unseen_spills(counters);
    else
      for (auto& [variant, counters] : result_.counters) withdraw_unseen_in_graphs(counters);
    for (const std::string& name : cause_metrics(request_.lab)) {
      CounterValue& counter = result_.counters[VariantName::mine][name];
      const Metric* metric = find_metric(name);
      if (counter.value || !counter.reason.empty() || metric == nullptr) continue;
      if (evidence_.simulated && metric->simulator.empty() && metric->compiler.empty() &&
          !metric->agreement)
        counter.reason = {MissingKind::needs_gpu};
    }
    evidence_.counters = result_.counters[VariantName::mine];
    if (canceled_ && result_.errors.empty())
      result_.errors.push_back(make_error(ErrorCode::canceled, "The check was stopped."));
    conclude();
    // What is left to a cause counts where that has passed: memory may be kept at some sizes alone.
    if (result_.verdict == Outcome::fail || told_.size() == evidence_.findings.size()) return;
    evidence_.findings = told_;
    conclude();
  }

  CheckRequest request_;  ///< its sizes beyond 32-bit indices are those of this check
  const OnCheckEvent& on_event_;
  const std::atomic<bool>& canceled_;
  PreparedLab prepared_;
  const PhaseRequests requests_{request_, prepared_};
  std::unique_ptr<PhasesAhead> ahead_;
  std::optional<RunningLook> looking_;
  bool whole_ones_are_over_ = false;
  bool ends_beside_ = false;  ///< the process that verifies, beside the next ones
  std::vector<record::Finding> told_;
  Evidence evidence_;
  CheckResult result_;
};

}  // namespace

CheckResult check(const CheckRequest& request, const OnCheckEvent& on_event,
                  const std::atomic<bool>& canceled) {
  return CheckRun(request, on_event, canceled).run();
}

}  // namespace klab
