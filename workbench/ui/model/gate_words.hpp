// GateWords: the gates of a verdict told in a few words each. No ImGui.
#pragma once

#include <string>
#include <vector>

#include "ui/model/run.hpp"

namespace klab::ui {

/// What one cell of the verdict strip says.
struct GateWords {
  enum class State { waiting, running, judged };
  std::string name;  ///< "Correct"
  State state = State::waiting;
  Outcome outcome = Outcome::not_checkable;
  std::string value;   ///< "4 sectors", "7.96x"; a word where there is no number
  std::string target;  ///< "wanted <= 4.5"; empty if there is none
  std::string more;    ///< sentences, sources and advice of all gates of that name
};

/// The five cells in their order. Without a run all wait.
std::vector<GateWords> gate_words(const Run* run);
/// The same of a check that is over.
std::vector<GateWords> gate_words(const std::vector<Gate>& gates);

/// "Cause: Spilled bytes", "Time: share of Copy within device memory", "Correct"
std::string title_of_gate(const Gate& gate);
/// "31.95 sectors, wanted ≤ 16.5": what was seen, where it is a number.
std::string seen_words(const Gate& gate);

/// "Passed", "Not passed", ...: the verdict in a word or two.
std::string verdict_title(const CheckResult& result);
std::string verdict_title(Outcome verdict, const std::vector<Gate>& gates);

}  // namespace klab::ui
