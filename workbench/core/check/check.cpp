// The order of a check: build, verify, time, counters, trace; each phase in a process of its own.
#include "core/check/check.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "core/base/text.hpp"
#include "core/check/machine.hpp"
#include "core/check/prepared_lab.hpp"
#include "core/check/second_look.hpp"
#include "core/check/withheld.hpp"
#include "core/course/drawn_sizes.hpp"
#include "core/judge/checker_findings.hpp"
#include "core/judge/judge.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/statistics.hpp"

namespace klab {
namespace {

/// What tells whether a launch did the task's work, and whether it is the one that was timed.
constexpr std::array work_metrics = {"flop_fp32",        "flop_fp64",        "flop_fp16",
                                     "tensor_flop_fp16", "tensor_flop_bf16", "tensor_flop_tf32",
                                     "tensor_flop",      "profiled_duration"};

/// How often more a launch is counted whose duration is none of the timed ones.
constexpr int most_recounts = 2;

bool is_refusal(const Error& error) {
  return error.code == ErrorCode::profiler_denied ||
         error.code == ErrorCode::profiler_unsupported ||
         error.code == ErrorCode::profiler_attached;
}

/// The output without what the simulator said there of the error, which stands at its gate: the
/// kernel did not print it.
std::string without_told(std::string_view output, const Error& error) {
  constexpr std::string_view mark = "simulator: ";
  std::string own;
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\n'), output.size() - 1) + 1;
    std::string_view line = output.substr(0, end);
    output.remove_prefix(end);
    if (line.starts_with(mark)) {
      std::string_view sentence = line.substr(mark.size());
      if (sentence.ends_with('\n')) sentence.remove_suffix(1);
      if (error.what.find(sentence) != std::string::npos) continue;
    }
    own += line;
  }
  return own;
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
            [&] {
              tell(CheckEvent::Kind::queued, OwnPhase::check,
                   "Another check is using the GPU; waiting in line.");
            },
            canceled_, prepared_.tree.remote);
      if (verify() && !request_.quick) {
        if (request_.lab.kind == LabKind::measurement)
          count(Phase::agreement);
        else
          time_and_count();
      }
    }
    finish();
    // The GPU is free again: what comes now takes none, and disturbs no clock.
    if (!evidence_.simulated && !request_.quick && result_.verdict != Outcome::fail) look_again();
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
    for (const Metric& metric : metric_catalogue())
      if (const auto value = evaluate_compiler(metric, built.kernels))
        result_.counters[variant][std::string(metric.name)] = {value, Source::compiler, {}};
  }

  Request phase_request(Phase phase, const std::vector<VariantName>& variants) const {
    Request request = prepared_.request(phase, variants);
    request.instruction_budget = request_.instruction_budget;
    return request;
  }

  PhaseOutcome run_one(const Request& request) {
    PhaseOutcome outcome = prepared_.run(request, on_event_, canceled_);
    result_.phase_seconds[std::string(to_string(request.phase))] += outcome.seconds;
    if (outcome.error) result_.errors.push_back(*outcome.error);
    return outcome;
  }

  /// Of the phase that runs the candidate alone.
  void keep_printed(const PhaseOutcome& outcome) {
    const std::string output =
        outcome.error ? without_told(outcome.output, *outcome.error) : outcome.output;
    result_.printed.text = output.substr(0, longest_printed_bytes);
    result_.printed.left_out_bytes = output.size() - result_.printed.text.size();
  }

  /// True if the candidate is right so far, so that timing it makes sense.
  bool verify() {
    Request request = phase_request(Phase::verify, {VariantName::mine});
    request.sizes = request_.lab.sizes.checking;
    const auto drawn = drawn_sizes(request_.lab, result_.seed, evidence_.simulated);
    request.sizes.insert(request.sizes.end(), drawn.begin(), drawn.end());
    evidence_.drawn_sizes = drawn.size();
    request.beyond = request_.lab.sizes.beyond;
    if (!request_.quick) request.huge = request_.lab.sizes.huge;
    const PhaseOutcome outcome = run_one(request);
    keep_printed(outcome);
    evidence_.verify_error = outcome.error;
    evidence_.verified = outcome.all<record::Verified>();
    evidence_.findings =
        findings_for(request_.lab, named_from(prepared_.tree.root, outcome.all<record::Finding>()));
    return !outcome.error && !evidence_.verified.empty() && evidence_.findings.empty() &&
           std::all_of(evidence_.verified.begin(), evidence_.verified.end(),
                       [](const auto& v) { return v.correct; });
  }

  void time_and_count() {
    if (!evidence_.simulated) time();
    count(Phase::counters);
    // One launch in many takes several times as long under the profiler, whatever its kernel does.
    for (int again = 1; again <= most_recounts && !evidence_.simulated && took_another_time();
         ++again)
      count(Phase::counters, again);
    if (!evidence_.simulated) count(Phase::trace);
  }

  void time() {
    // The first check on a device measures its ceilings; what cannot be measured is said by the
    // gates that need it.
    const auto say = [&](const std::string& text) {
      tell(CheckEvent::Kind::phase_started, Phase::ceilings, text);
    };
    if (auto ceilings = ceilings_of(prepared_.tree, evidence_.device, true, say, &canceled_))
      evidence_.ceilings = *ceilings;

    const PhaseOutcome outcome = run_one(phase_request(
        Phase::time, {VariantName::flawed, VariantName::mine, VariantName::optimized}));
    evidence_.time_error = outcome.error;
    evidence_.verified_timed = outcome.all<record::Verified>();
    const auto ends = outcome.all<record::Timed>();
    if (!ends.empty()) evidence_.timed = ends.back();

    Timing& timing = result_.timing;
    for (const record::Sample& sample : outcome.all<record::Sample>()) {
      VariantTimes& times = timing.variants[sample.variant];
      times.samples_s.push_back(sample.seconds);
      if (sample.sm_clock_mhz) times.sm_clock_mhz.push_back(*sample.sm_clock_mhz);
    }
    // Without `timed` the phase broke off: samples are kept for display, but nothing is concluded
    // from them.
    if (evidence_.timed) {
      for (auto& [name, times] : timing.variants) times.seconds = median_interval(times.samples_s);
      const auto& flawed = timing.variants[VariantName::flawed].samples_s;
      const auto& mine = timing.variants[VariantName::mine].samples_s;
      timing.ratio = ratio_interval(flawed, mine);
      timing.cliffs_delta = cliffs_delta(flawed, mine);
      timing.stopped_because = evidence_.timed->stopped_because;
      timing.throttle_reasons = evidence_.timed->throttle_reasons;
    }
    evidence_.timing = timing;
  }

  /// The catalogue names that this phase is to collect.
  std::vector<std::string> wanted_metrics(Phase phase) const {
    std::set<std::string> names = cause_metrics(request_.lab);
    if (phase == Phase::counters) names.insert(work_metrics.begin(), work_metrics.end());
    if (request_.with_optimized || evidence_.simulated || phase == Phase::trace ||
        phase == Phase::agreement)
      for (const Metric& metric : metric_catalogue()) names.insert(std::string(metric.name));
    if (request_.with_optimized && phase == Phase::counters && !evidence_.simulated) {
      names = cause_metrics(request_.lab);
      names.insert(work_metrics.begin(), work_metrics.end());
      for (const std::string_view name : default_metrics()) names.insert(std::string(name));
    }
    std::vector<std::string> wanted;
    for (const std::string& name : names) {
      const Metric* metric = find_metric(name);
      if (metric == nullptr) continue;
      const bool has_source = phase == Phase::agreement ? metric->agreement
                              : evidence_.simulated     ? !metric->simulator.empty()
                              : phase == Phase::trace   ? !metric->trace.empty()
                                                        : !metric->cupti.empty();
      if (has_source) wanted.push_back(name);
    }
    return wanted;
  }

  /// Whether counters alone would say that work was left out. A GPU's see nothing of what the
  /// kernels of a graph compute, and whether there was one is for the trace to say.
  bool misses_work() const {
    const auto counters = result_.counters.find(VariantName::mine);
    if (!evidence_.counted_least || counters == result_.counters.end()) return false;
    const auto work = counted_work(*evidence_.counted_least, counters->second);
    return std::any_of(work.begin(), work.end(),
                       [](const CountedWork& one) { return one.falls_short(); });
  }

  /// Whether the launch that was counted seems to be another than those that were timed. Calls that
  /// allocate may be why, and those are for the trace to say.
  bool took_another_time() const {
    const auto counters = result_.counters.find(VariantName::mine);
    const auto times = result_.timing.variants.find(VariantName::mine);
    if (counters == result_.counters.end() || times == result_.timing.variants.end() ||
        !times->second.seconds || request_.lab.timing != TimingMode::device)
      return false;
    const auto profiled = counters->second.find("profiled_duration");
    return profiled != counters->second.end() && profiled->second.value &&
           !same_duration(*profiled->second.value, times->second.seconds->median,
                          evidence_.counted_shape);
  }

  /// Counters or trace, of the candidate and, to compare, of the others. `again`: in place of what
  /// was counted before, on other inputs.
  void count(Phase phase, int again = 0) {
    const auto wanted = wanted_metrics(phase);
    // Of hardware counters the work is looked at, too, whatever the cause is.
    const std::set<std::string> asked = cause_metrics(request_.lab);
    const bool proves_cause =
        std::any_of(wanted.begin(), wanted.end(),
                    [&](const std::string& name) { return asked.contains(name); });
    const bool needed =
        proves_cause || phase == Phase::counters || misses_work() || took_another_time();
    if (canceled_ || wanted.empty() || (!needed && !request_.with_optimized)) return;
    Request request =
        phase_request(phase, request_.with_optimized
                                 ? std::vector<VariantName>{VariantName::mine, VariantName::flawed,
                                                            VariantName::optimized}
                                 : std::vector<VariantName>{VariantName::mine});
    request.metrics = wanted;
    request.full_checks = false;
    request.seed += static_cast<std::uint64_t>(again);
    if (asked.contains("kept_allocations")) request.between = request_.lab.sizes.checking.back();
    const PhaseOutcome outcome = run_one(request);
    if (phase == Phase::agreement) evidence_.time_error = outcome.error;
    // A machine that refuses counters still proves a cause that needs none.
    if (outcome.error && !proves_cause && is_refusal(*outcome.error)) result_.errors.pop_back();
    for (const record::Verified& wrong : outcome.all<record::Verified>())
      if (wrong.variant == VariantName::mine) evidence_.verified_counted.push_back(wrong);
    for (const record::CounterSet& set : outcome.all<record::CounterSet>()) {
      if (set.variant == VariantName::mine) {
        evidence_.counted_least = set.least;
        if (phase == Phase::counters) evidence_.counted_shape = set.shape;
      }
      for (const auto& [name, counter] : set.values) {
        CounterValue& known = result_.counters[set.variant][name];
        if (!known.value || again > 0) known = counter;
      }
    }
    if (!outcome.error) return;
    for (const std::string& name : wanted) {
      CounterValue& counter = result_.counters[VariantName::mine][name];
      if (!counter.value && counter.reason.empty()) counter.reason = missing_by(*outcome.error);
    }
  }

  /// The operations once more, at a small size: a GPU's counters take the inner steps of a division
  /// for work. They do not tell those of tensor cores for sure, and see none of a graph's kernels:
  /// then at the size that was timed as well.
  std::optional<WorkToCount> counted_on_simulator() const {
    if (!evidence_.counted_least || evidence_.counted_least->flops() == 0) return std::nullopt;
    WorkToCount work{phase_request(Phase::counters, {VariantName::mine})};
    work.request.sizes = {request_.lab.sizes.large(true)};
    work.request.metrics = {"flop_fp32", "flop_fp64", "flop_fp16", "tensor_flop",
                            "warp_instructions"};
    work.request.full_checks = false;
    work.request.stands_for = evidence_.device;
    if (!has_operations(counted_work(*evidence_.counted_least, evidence_.counters))) {
      work.timed = request_.lab.sizes.timing;
      work.timed_flops = evidence_.counted_least->flops();
    }
    return work;
  }

  /// On the sizes that every check tries; those drawn for this one are large.
  void look_again() {
    if (canceled_ || evidence_.verified.empty() || evidence_.verify_error) return;
    Request request = phase_request(Phase::verify, {VariantName::mine});
    request.sizes = request_.lab.sizes.checking;
    request.huge = request_.lab.sizes.huge;
    request.stands_for = evidence_.device;
    evidence_.second_look =
        second_look(prepared_.tree, request, counted_on_simulator(), on_event_, canceled_);
    result_.phase_seconds["second look"] = evidence_.second_look->seconds;
    conclude();
  }

  void conclude() {
    Judgement judgement = judge(evidence_);
    result_.gates = std::move(judgement.gates);
    result_.rungs = std::move(judgement.rungs);
    result_.score = judgement.score;
    result_.verdict = combine(result_.gates);
    result_.conclusion = conclusion(result_.gates);
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
  }

  CheckRequest request_;  ///< its sizes beyond 32-bit indices are those of this check
  const OnCheckEvent& on_event_;
  const std::atomic<bool>& canceled_;
  PreparedLab prepared_;
  Evidence evidence_;
  CheckResult result_;
};

}  // namespace

CheckResult check(const CheckRequest& request, const OnCheckEvent& on_event,
                  const std::atomic<bool>& canceled) {
  return CheckRun(request, on_event, canceled).run();
}

}  // namespace klab
