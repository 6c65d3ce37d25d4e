// Advice: what to do next, in sentences in which an act of the workbench stands as a value, so that
// the terminal and the window each say where it is found.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace klab {

/// What the workbench can do for whoever reads an advice.
enum class Verb {
  build,           ///< what of the workbench is missing
  setup,           ///< build, and open nothing
  help,            ///< the verbs
  list_labs,       ///< the labs
  start,           ///< a lab: copy its flawed kernel
  reset,           ///< a lab: copy its flawed kernel anew, and keep what lies in its place
  predict,         ///< answer a lab's questions
  hint,            ///< show a lab's next hint
  show_device,     ///< the GPU and its ceilings
  measure_device,  ///< its ceilings, anew
  doctor,          ///< what works on this machine
  metrics,         ///< what is counted
  diagnose,        ///< what limits a lab's kernels
  trace,           ///< record a timeline
  journal,         ///< the learner's attempts
  simulate,        ///< choose the simulator
  raise_budget,    ///< let a launch on the simulator execute more
  record,          ///< a course's results on this GPU
  agree,           ///< hold the simulator against this GPU
};

/// A verb and what it is done to.
struct Act {
  Verb verb = Verb::help;
  std::string lab = {};  ///< its slug, where the verb takes a lab; empty: whichever is open

  bool operator==(const Act&) const = default;
};

class Advice {
 public:
  using Part = std::variant<std::string, Act>;

  Advice() = default;
  Advice(std::string words);
  Advice(std::string_view words) : Advice(std::string(words)) {}
  Advice(const char* words) : Advice(std::string(words)) {}
  Advice(Act act) { parts_.emplace_back(std::move(act)); }

  bool empty() const { return parts_.empty(); }
  const std::vector<Part>& parts() const { return parts_; }
  Advice& operator+=(const Advice& more);
  bool operator==(const Advice&) const = default;

 private:
  std::vector<Part> parts_;  ///< no two texts beside each other, and none empty
};

Advice operator+(Advice one, const Advice& other);

/// As it is typed: "./klab hint coalescing".
std::string shell_words(const Act& act);
/// Markdown for a terminal, in which acts are code. Records say it so, too.
std::string shell_words(const Advice& advice);
/// The inverse of shell_words(): code that is no act of ours stays text.
Advice advice_from(std::string_view words);

}  // namespace klab
