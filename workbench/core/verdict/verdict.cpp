// How gates combine into one verdict and one sentence.
#include "core/verdict/verdict.hpp"

#include <algorithm>

namespace klab {
namespace {

/// The worst outcome among the gates called `name`; nullopt if there is none.
std::optional<Outcome> outcome_of(const std::vector<Gate>& gates, GateName name) {
  std::vector<Gate> chosen;
  std::copy_if(gates.begin(), gates.end(), std::back_inserter(chosen),
               [&](const Gate& gate) { return gate.name == name; });
  if (chosen.empty()) return std::nullopt;
  return combine(chosen);
}

}  // namespace

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::pass:
      return "pass";
    case Outcome::fail:
      return "fail";
    case Outcome::inconclusive:
      return "inconclusive";
    case Outcome::not_checkable:
      return "not checkable here";
  }
  return "";
}

std::optional<Outcome> outcome_from(std::string_view name) {
  for (const Outcome outcome :
       {Outcome::pass, Outcome::fail, Outcome::inconclusive, Outcome::not_checkable})
    if (to_string(outcome) == name) return outcome;
  return std::nullopt;
}

std::string_view to_string(Source source) {
  switch (source) {
    case Source::measured:
      return "measured";
    case Source::counted:
      return "counted";
    case Source::compiler:
      return "compiler";
    case Source::modelled:
      return "modelled";
    case Source::recorded:
      return "recorded";
    case Source::traced:
      return "traced";
    case Source::checked:
      return "checked";
  }
  return "";
}

std::optional<Source> source_from(std::string_view name) {
  for (const Source source : {Source::measured, Source::counted, Source::compiler, Source::modelled,
                              Source::recorded, Source::traced, Source::checked})
    if (to_string(source) == name) return source;
  return std::nullopt;
}

std::string to_string(GateName name) {
  switch (name) {
    case GateName::built:
      return "built";
    case GateName::correct:
      return "correct";
    case GateName::same_work:
      return "same work";
    case GateName::cause:
      return "cause";
    case GateName::time:
      return "time";
  }
  return "";
}

std::optional<GateName> gate_name_from(std::string_view name) {
  for (const GateName gate :
       {GateName::built, GateName::correct, GateName::same_work, GateName::cause, GateName::time})
    if (to_string(gate) == name) return gate;
  return std::nullopt;
}

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
  if (correct == Outcome::fail)
    return "The result is wrong; speed does not count until it is right.";
  if (correct == Outcome::not_checkable)
    return "It could not be run to an end, so nothing is proven.";
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
  if (cause == Outcome::pass && time == Outcome::pass)
    return "Passed: right, fast, and for the taught reason.";
  if (cause == Outcome::pass) return "Right, and the cause is proven; the time needs a GPU.";
  if (time == Outcome::pass) return "Right and fast; the cause could not be proven here.";
  return "Right; what is left could not be checked here.";
}

}  // namespace klab
