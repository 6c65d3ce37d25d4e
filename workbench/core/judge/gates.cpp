// What gates have in common, and the gate built.
#include "core/judge/gates.hpp"

#include <utility>

#include "core/measure/format.hpp"

namespace klab::gates {

Gate unknown(GateName name, std::string subject, std::string why, Advice advice) {
  return {.name = name,
          .subject = std::move(subject),
          .outcome = Outcome::not_checkable,
          .detail = std::move(why),
          .advice = std::move(advice)};
}

Gate unknown(GateName name, std::string subject, const Error& error) {
  Gate gate = unknown(name, std::move(subject), error.what, error.remedy);
  gate.basis = Basis::error;
  return gate;
}

Gate failed(GateName name, std::string subject, const Error& error) {
  return {.name = name,
          .subject = std::move(subject),
          .outcome = Outcome::fail,
          .source = Source::checked,
          .detail = error.what,
          .advice = error.remedy,
          .basis = Basis::error};
}

Target at_least(double value, std::string unit) {
  return {{Bound::Relation::at_least, value}, std::move(unit)};
}

void leave_unreached(Gate& gate, std::string detail) {
  gate.detail = std::move(detail);
  gate.basis = Basis::not_run;
}

namespace {

/// Timed, but no interval follows from what was taken.
void leave_too_few(Gate& gate, const Evidence& evidence) {
  const auto mine = evidence.timing.variants.find(VariantName::mine);
  const std::size_t taken =
      mine == evidence.timing.variants.end() ? 0 : mine->second.samples_s.size();
  gate.outcome = Outcome::inconclusive;
  gate.detail = "A launch takes so long here that only " + std::to_string(taken) +
                (taken == 1 ? " time" : " times") +
                " could be taken, too few to tell how long it takes.";
  gate.advice = "Close other programs on this machine and check again, or check on a faster GPU.";
}

}  // namespace

void leave_untimed(Gate& gate, const Evidence& evidence) {
  if (evidence.timed) return leave_too_few(gate, evidence);
  if (evidence.simulated)
    gate.detail = "Time needs a GPU: the simulator counts, it does not time.";
  else
    leave_unreached(gate, "No time was taken, " + std::string(earlier_gate));
}

const VariantTimes* times_of(const Evidence& evidence, const VariantName& variant) {
  const auto found = evidence.timing.variants.find(variant);
  return found == evidence.timing.variants.end() || !found->second.seconds ? nullptr
                                                                           : &found->second;
}

Act next_hint(const Evidence& evidence) { return {Verb::hint, evidence.lab->slug}; }

Gate built(const Evidence& evidence) {
  if (evidence.build_error) {
    if (evidence.build_error->code != ErrorCode::build_failed &&
        evidence.build_error->code != ErrorCode::hang)
      return unknown(GateName::built, "nvcc", *evidence.build_error);
    return failed(GateName::built, "nvcc", *evidence.build_error);
  }
  return {.name = GateName::built,
          .subject = "nvcc",
          .outcome = Outcome::pass,
          .source = Source::compiler,
          .detail = evidence.build_seconds > 0
                        ? "Built in " + format_seconds(evidence.build_seconds) + "."
                        : "Built before from the same source."};
}

}  // namespace klab::gates
