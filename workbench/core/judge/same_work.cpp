// The gate same work: nothing is faster than physics, and no step of the task is left out.
#include "core/judge/gates.hpp"

#include <algorithm>
#include <cmath>

#include "core/measure/format.hpp"
#include "core/measure/measure_policy.hpp"

namespace klab::gates {
namespace {

/// A measurement that reports on a job has run it; how often, the cause asks.
Gate ran_jobs_gate(const Evidence& evidence) {
  const GateName name = GateName::same_work;
  const std::string subject = "runs of each job";
  const auto runs = evidence.counters.find("job_runs");
  if (runs == evidence.counters.end() || !runs->second.value) {
    Gate gate{.name = name, .subject = subject};
    leave_unreached(gate, "Not counted, " + std::string(earlier_gate));
    return gate;
  }
  Gate gate{.name = name,
            .subject = subject,
            .outcome = *runs->second.value >= 1 ? Outcome::pass : Outcome::fail,
            .measured = runs->second.value,
            .target = at_least(1, {}),
            .unit = "runs",
            .source = runs->second.source,
            .detail = "The job that was run least often was run this often."};
  if (gate.outcome == Outcome::fail)
    gate.advice = "Run each job, and report what you measured of it.";
  return gate;
}

/// Why nobody can say how many of the task's operations a launch on a GPU takes; empty if somebody
/// can. A GPU sees none of a graph's kernels; how many steps these leave out may depend on the
/// size, so the simulator has to have counted them at the size that is timed.
std::string why_not_counted(const Evidence& evidence, bool counted_here) {
  if (evidence.simulated || counted_here || evidence.counted_least->flops() == 0) return {};
  const auto& look = evidence.second_look;
  const bool graph = !sees_all_kernels(evidence.counters);
  const bool there = look && (look->counted_timed || (look->counted && !graph));
  if (there) return {};
  std::string why = graph ? "The counters of a GPU see nothing of what the kernels of a graph do"
                          : "The counters of this GPU do not tell the operations of the launch";
  why += !look ? "." : ", and the simulator did not count them";
  if (look)
    why += graph && look->counted ? " at the size that is timed: " + look->not_counted
                                  : ": " + look->not_counted;
  if (why.back() != '.') why += '.';
  return why;
}

Gate uncounted(const std::string& why, bool graph) {
  return {.name = GateName::same_work,
          .subject = std::string(operations_subject),
          .outcome = Outcome::inconclusive,
          .source = Source::measured,
          .detail = why + " So nobody knows whether all steps of the task were taken.",
          .advice = (graph ? "Launch the kernels on the stream, without a graph, and check again; "
                           : "Check again; ") +
                    Act{Verb::doctor} + " says whether the simulator is there."};
}

/// Of blocks drawn at random: far too little is too little, and a little less may be their luck.
Gate counted_in_part(Gate gate, const CountedWork& work, double share) {
  if (share >= 1) return gate;
  gate.detail += " That is worked out from " + format_number(100 * share) +
                 " % of the blocks, drawn at random, which the simulator ran.";
  constexpr double certain = 0.5;
  if (gate.outcome == Outcome::fail && work.counted > certain * work.least)
    gate.outcome = Outcome::inconclusive;
  return gate;
}

/// One count of the task's work.
struct Count {
  CountedWork work;
  Size size{};       ///< of those that results were compared at; empty: the one that is counted
  double share = 1;  ///< of the blocks
};

/// On a GPU, and as the simulator counts the steps: as they are written.
std::vector<Count> counts_of(const Evidence& evidence) {
  std::vector<Count> counts;
  const auto add = [&](const LeastWork& least, const Counters& values, const Size& size = {},
                       double share = 1) {
    for (CountedWork& work : counted_work(least, values))
      counts.push_back({std::move(work), size, share});
  };
  const auto& look = evidence.second_look;
  add(*evidence.counted_least, evidence.counters);
  if (look && look->counted) add(look->counted->least, look->counted->values);
  for (const auto& fewer : evidence.fewer_steps) add(fewer.least, fewer.values, fewer.size);
  if (!look) return counts;
  for (const auto& fewer : look->fewer_steps) add(fewer.least, fewer.values, fewer.size);
  if (look->counted_timed)
    add(look->counted_timed->least, look->counted_timed->values, {}, look->share_of_blocks);
  return counts;
}

}  // namespace

Gate same_work(const Evidence& evidence) {
  if (evidence.lab->kind == LabKind::measurement) return ran_jobs_gate(evidence);
  const GateName name = GateName::same_work;
  const std::string subject = "physics floor";
  const VariantTimes* times = times_of(evidence, VariantName::mine);
  if (times == nullptr || !evidence.timed) {
    Gate gate{.name = name, .subject = subject};
    leave_untimed(gate, evidence);
    return gate;
  }
  if (!evidence.ceilings || evidence.ceilings->values.empty())
    return unknown(name, subject, "The ceilings of this device were not measured.",
                   unmeasured_remedy);
  const auto floor_s =
      least_time_s(evidence.timed->least, *evidence.ceilings, evidence.device.l2_bytes);
  if (!floor_s)
    return unknown(name, subject, "No ceiling that this task needs was measured.",
                   unmeasured_remedy);
  const double bound_s = *floor_s / (1 + policy::physics_floor_slack);
  Gate gate{.name = name,
            .subject = subject,
            .outcome = times->seconds->median >= bound_s ? Outcome::pass : Outcome::fail,
            .measured = times->seconds->median,
            .target = at_least(bound_s, "s"),
            .unit = "s",
            .source = Source::measured};
  gate.detail = "It takes " + format_seconds(times->seconds->median) +
                "; this device needs at least " + format_seconds(bound_s) +
                " for the least work the task allows.";
  if (gate.outcome == Outcome::fail)
    gate.advice =
        "Likely reasons: work skipped, work left on another stream, or an answer kept from an "
        "earlier launch.";
  return gate;
}

std::optional<Gate> counted_steps(const Evidence& evidence) {
  if (!evidence.counted_least) return std::nullopt;
  const bool counted_here =
      has_operations(counted_work(*evidence.counted_least, evidence.counters));
  if (const std::string why = why_not_counted(evidence, counted_here); !why.empty())
    return uncounted(why, !sees_all_kernels(evidence.counters));
  const std::vector<Count> counts = counts_of(evidence);
  if (counts.empty()) return std::nullopt;
  const auto less = std::find_if(counts.begin(), counts.end(),
                                 [](const Count& count) { return count.work.falls_short(); });
  const bool short_of = less != counts.end();
  const auto& [work, size, share] = short_of ? *less : counts.front();
  Gate gate{.name = GateName::same_work,
            .subject = work.what,
            .outcome = short_of ? Outcome::fail : Outcome::pass,
            .measured = work.counted,
            .target = at_least(std::ceil(work.least * (1 - policy::work_slack)), {}),
            .source = work.source};
  gate.detail = (size.empty() ? "Its launch" : "At the size " + to_string(size) + " its launch") +
                " was counted to take " + format_count(work.counted) + " " + work.what +
                "; the steps of the task take " + format_count(work.least) + " at least.";
  if (short_of)
    gate.advice =
        "Do each of the task's steps, with as many bits: a table, a polynomial, some of the values "
        "or half precision in place of all may come near the result, but it is another task.";
  return counted_in_part(std::move(gate), work, share);
}

}  // namespace klab::gates
