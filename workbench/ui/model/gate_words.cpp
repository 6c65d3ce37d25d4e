// GateWords: choosing, among the gates of one name, the one that decides.
#include "ui/model/gate_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/base/text.hpp"
#include "core/check/withheld.hpp"
#include "core/measure/format.hpp"
#include "ui/words/typeset.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

struct Cell {
  GateName gate;
  const char* title;
  const char* asks;
  std::array<std::optional<CheckPhase>, 3> phases;  ///< the phases that decide it
};
constexpr Cell cells[] = {
    {GateName::built, "Built", "Does your file compile?", {OwnPhase::build}},
    {GateName::correct,
     "Correct",
     "Is every element right, at several sizes and with fresh inputs, and nothing written outside?",
     {Phase::verify}},
    {GateName::same_work,
     "Same work",
     "Is it slower than physics allows? Anything faster skipped work.",
     {Phase::time, Phase::agreement}},
    {GateName::cause,
     "Cause",
     "Did the counter that this lab teaches move past its bound?",
     {Phase::counters, Phase::trace, Phase::agreement}},
    {GateName::time,
     "Time",
     "Is it faster than the flawed kernel by as much as this lab asks?",
     {Phase::time, Phase::agreement}}};

int severity(Outcome outcome) {
  switch (outcome) {
    case Outcome::fail:
      return 3;
    case Outcome::inconclusive:
      return 2;
    case Outcome::not_checkable:
      return 1;
    case Outcome::pass:
      break;
  }
  return 0;
}

const char* word_for(Outcome outcome) {
  switch (outcome) {
    case Outcome::pass:
      return "yes";
    case Outcome::fail:
      return "no";
    case Outcome::inconclusive:
      return "unclear";
    case Outcome::not_checkable:
      break;
  }
  return "not checked";
}

std::string value_of(const Gate& gate) {
  if (gate.basis == Basis::not_run) return "not run";
  if (!gate.measured) return word_for(gate.outcome);
  if (gate.name == GateName::correct)
    return gate.outcome == Outcome::pass ? "yes" : format_count(gate.measured) + " wrong";
  return typeset(format_value(gate.measured, gate.unit));
}

void tell(std::string& more, const Gate& gate) {
  if (!more.empty()) more += "\n\n";
  if (gate.name == GateName::cause || gate.name == GateName::time)
    more += (is_of_speedup(gate) ? "Speed-up" : title_of_name(gate.subject)) + ": ";
  // The journal keeps numbers, not sentences.
  if (!gate.detail.empty())
    more += gate.detail;
  else if (gate.measured && gate.target)
    more += value_of(gate) + ", wanted " + typeset(format_target(gate.target));
  else
    more += word_for(gate.outcome);
  if (gate.source) more += " (" + std::string(to_string(*gate.source)) + ")";
  if (!gate.advice.empty()) more += "\n" + window_words(gate.advice);
}

/// While a check runs a cell tells how far its phases are.
GateWords::State state_of(const Cell& cell, const Run& run) {
  auto state = GateWords::State::waiting;
  for (const PhaseProgress& phase : run.phases) {
    if (std::find(cell.phases.begin(), cell.phases.end(), phase.phase) == cell.phases.end())
      continue;
    if (phase.state == PhaseProgress::State::running) return GateWords::State::running;
    if (phase.state == PhaseProgress::State::done) state = GateWords::State::judged;
  }
  return state;
}

GateWords running_words(const Cell& cell, const Run& run) {
  GateWords words{.name = cell.title, .state = state_of(cell, run), .more = cell.asks};
  const bool judged = words.state == GateWords::State::judged;
  words.value = words.state == GateWords::State::running ? "checking" : judged ? "done" : "waiting";
  if (judged) words.state = GateWords::State::waiting;  // the verdict comes at the end
  if (cell.gate == GateName::correct && !run.verified.empty()) {
    const auto wrong = std::count_if(run.verified.begin(), run.verified.end(),
                                     [](const auto& one) { return !one.correct; });
    words.value = wrong ? std::to_string(wrong) + " runs wrong"
                        : std::to_string(run.verified.size()) + " runs right";
  }
  return words;
}

GateWords judged_words(const Cell& cell, const std::vector<Gate>& gates) {
  GateWords words{.name = cell.title, .value = "not run", .more = cell.asks};
  const Gate* decisive = nullptr;
  int count = 0, met = 0;
  for (const Gate& gate : gates) {
    if (gate.name != cell.gate) continue;
    ++count;
    met += gate.outcome == Outcome::pass;
    if (!decisive || severity(gate.outcome) > severity(decisive->outcome)) decisive = &gate;
    tell(words.more, gate);
  }
  if (!decisive) return words;
  words.state = GateWords::State::judged;
  words.outcome = decisive->outcome;
  words.value = value_of(*decisive);
  if (decisive->target && decisive->name != GateName::correct)
    words.target = "wanted " + typeset(format_target(decisive->target));
  if (count > 1) words.name += " " + std::to_string(met) + " of " + std::to_string(count);
  return words;
}

}  // namespace

std::vector<GateWords> gate_words(const Run* run) {
  if (!run || !run->active)
    return gate_words(run && run->result ? run->result->gates : std::vector<Gate>());
  std::vector<GateWords> all;
  for (const Cell& cell : cells) all.push_back(running_words(cell, *run));
  return all;
}

std::vector<GateWords> gate_words(const std::vector<Gate>& gates) {
  std::vector<GateWords> all;
  for (const Cell& cell : cells) all.push_back(judged_words(cell, gates));
  return all;
}

std::string title_of_gate(const Gate& gate) {
  if (gate.name == GateName::cause) return "Cause: " + title_of_name(gate.subject);
  if (gate.name == GateName::time && !is_of_speedup(gate))
    return "Time: share of " + title_of_name(gate.subject);
  return capitalized(to_string(gate.name));
}

std::string seen_words(const Gate& gate) {
  if (!gate.measured || !gate.target || gate.name == GateName::correct) return {};
  return typeset(format_value(gate.measured, gate.unit) + ", wanted " + format_target(gate.target));
}

std::string verdict_title(const CheckResult& result) {
  if (was_stopped(result)) return "Stopped";
  return verdict_title(result.verdict, result.gates);
}

std::string verdict_title(Outcome verdict, const std::vector<Gate>& gates) {
  switch (verdict) {
    case Outcome::pass:
      return "Passed";
    case Outcome::fail:
      return "Not passed yet";
    case Outcome::inconclusive:
      return "Inconclusive";
    case Outcome::not_checkable:
      break;
  }
  return passes_provisionally(gates) ? "Passed provisionally"
                                     : "Not everything can be checked here";
}

}  // namespace klab::ui
