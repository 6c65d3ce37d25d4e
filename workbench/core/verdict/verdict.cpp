// How gates combine into one verdict and one sentence.
#include "core/verdict/verdict.hpp"

#include <algorithm>

#include "core/base/names.hpp"

namespace klab {
namespace {

constexpr std::pair<Outcome, std::string_view> outcomes[] = {
    {Outcome::pass, "pass"},
    {Outcome::fail, "fail"},
    {Outcome::inconclusive, "inconclusive"},
    {Outcome::not_checkable, "not checkable here"}};
constexpr std::pair<Source, std::string_view> sources[] = {
    {Source::measured, "measured"}, {Source::counted, "counted"},   {Source::compiler, "compiler"},
    {Source::modelled, "modelled"}, {Source::recorded, "recorded"}, {Source::traced, "traced"},
    {Source::checked, "checked"}};
constexpr std::pair<GateName, std::string_view> gate_names[] = {{GateName::built, "built"},
                                                                {GateName::correct, "correct"},
                                                                {GateName::same_work, "same work"},
                                                                {GateName::cause, "cause"},
                                                                {GateName::time, "time"}};

/// The worst outcome among the gates called `name`; nullopt if there is none.
std::optional<Outcome> outcome_of(const std::vector<Gate>& gates, GateName name) {
  std::vector<Gate> chosen;
  std::copy_if(gates.begin(), gates.end(), std::back_inserter(chosen),
               [&](const Gate& gate) { return gate.name == name; });
  if (chosen.empty()) return std::nullopt;
  return combine(chosen);
}

}  // namespace

std::string_view to_string(Outcome outcome) { return name_in(outcomes, outcome); }
std::optional<Outcome> outcome_from(std::string_view name) { return value_in(outcomes, name); }
std::string_view to_string(Source source) { return name_in(sources, source); }
std::optional<Source> source_from(std::string_view name) { return value_in(sources, name); }
std::string to_string(GateName name) { return std::string(name_in(gate_names, name)); }
std::optional<GateName> gate_name_from(std::string_view name) { return value_in(gate_names, name); }

Outcome combine(const std::vector<Gate>& gates) {
  const auto any = [&](Outcome outcome) {
    return std::any_of(gates.begin(), gates.end(),
                       [&](const Gate& gate) { return gate.outcome == outcome; });
  };
  if (any(Outcome::fail)) return Outcome::fail;
  if (any(Outcome::inconclusive)) return Outcome::inconclusive;
  if (gates.empty() || any(Outcome::not_checkable)) return Outcome::not_checkable;
  return Outcome::pass;
}

bool passes_provisionally(const std::vector<Gate>& gates) {
  return combine(gates) == Outcome::not_checkable &&
         outcome_of(gates, GateName::correct) == Outcome::pass &&
         std::any_of(gates.begin(), gates.end(), [](const Gate& gate) {
           return gate.name == GateName::cause && gate.outcome == Outcome::pass;
         });
}

const RungResult* next_rung(const std::vector<RungResult>& rungs) {
  const auto next = std::find_if(rungs.begin(), rungs.end(), [](const RungResult& rung) {
    return rung.outcome != Outcome::pass;
  });
  return next == rungs.end() ? nullptr : &*next;
}

std::string conclusion(const std::vector<Gate>& gates) {
  const auto built = outcome_of(gates, GateName::built);
  const auto correct = outcome_of(gates, GateName::correct);
  const auto same_work = outcome_of(gates, GateName::same_work);
  const auto cause = outcome_of(gates, GateName::cause);
  const auto time = outcome_of(gates, GateName::time);

  if (built == Outcome::fail) return "It does not build; nothing was run.";
  if (correct == Outcome::fail) {
    const auto gate = std::find_if(gates.begin(), gates.end(), [](const Gate& gate) {
      return gate.name == GateName::correct && gate.outcome == Outcome::fail;
    });
    // What hangs or faults leaves nothing to count.
    if (!gate->measured) return "It does not run to its end; speed does not count until it does.";
    return gate->finding ? "The checker found a mistake; speed does not count until it is mended."
                         : "The result is wrong; speed does not count until it is right.";
  }
  if (correct == Outcome::not_checkable)
    return "It could not be run to an end, so nothing is proven.";
  if (correct == Outcome::inconclusive)
    return "It is right here and wrong on the simulator: until both agree, nothing is proven.";
  if (same_work == Outcome::fail)
    return "It does less than the task's work, so its time does not count.";
  if (cause == Outcome::pass && time == Outcome::fail)
    return "The counters are met but it is not fast enough: the taught flaw is fixed, something "
           "else limits it now.";
  if (cause == Outcome::fail && time == Outcome::pass)
    return "It is faster, but not for the taught reason: the lab's counter has not moved far "
           "enough.";
  if (cause == Outcome::fail) return "It is right, but the flaw is still there.";
  if (time == Outcome::fail) return "It is right, but not fast enough yet.";
  if (time == Outcome::inconclusive)
    return "The time straddles its target: measure again on a quieter machine.";
  const bool passed = combine(gates) == Outcome::pass;
  if (cause == Outcome::pass && time == Outcome::pass)
    return passed ? "Passed: right, fast, and for the taught reason."
                  : "Right and fast; that it does all of the task's work could not be proven here.";
  if (passed && !time && cause) return "Passed: right, and for the taught reason.";
  if (passed && time && !cause) return "Passed: right and fast.";
  if (cause == Outcome::pass) return "Right, and the cause is proven; the time needs a GPU.";
  if (time == Outcome::pass) return "Right and fast; the cause could not be proven here.";
  return "Right; what is left could not be checked here.";
}

}  // namespace klab
