// Run: one check as the window sees it, folded from its events. No ImGui, no threads.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/build/plugin_builder.hpp"
#include "core/check/check.hpp"
#include "core/check/check_event.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab::ui {

struct PhaseProgress {
  enum class State { waiting, running, done };
  CheckPhase phase;
  const char* title;
  const char* doing;  ///< for people
  State state = State::waiting;
  double began_s = 0;  ///< since the run began
  std::optional<double> took_s;
  std::string text;  ///< the last sentence about it
  std::optional<int> index, total;
};

/// What a check found that lines cost, and in which text.
struct LineCostsOf {
  std::string source;
  std::map<VariantName, std::vector<LineHeat>> lines;
};

struct Run {
  std::string lab;
  VariantName variant;  ///< what is checked
  std::string source;   ///< the text that is checked
  bool active = false;
  bool canceling = false;
  double began_s = 0;       ///< on the session's clock
  std::string waiting_for;  ///< a sentence while the check queues behind another one
  std::string note;         ///< what happens between the phases: "Measuring the ceilings ..."
  std::vector<PhaseProgress> phases;
  std::map<VariantName, std::vector<double>> samples_s;  ///< by variant, as they are taken
  std::map<VariantName, Counters> counters;
  std::map<VariantName, std::vector<LineHeat>> lines;  ///< what source lines cost, by variant
  LineCostsOf former;  ///< of the check before, shown until this one has its own or is over
  std::vector<record::Verified> verified;
  std::optional<DeviceFacts> device;
  std::optional<CheckResult> result;  ///< once the check has been judged
};

/// An empty run whose phases all wait, in the order in which they come.
Run begin_run(std::string lab, VariantName variant, double now_s, bool counts_only = false,
              LabKind kind = LabKind::kernel, TimingMode timing = TimingMode::device);

/// What lines of this file cost, as far as is known; nullptr if nothing is.
const std::vector<LineHeat>* costs_in(const Run& run, const VariantName& variant);
/// These costs are of the check before.
bool are_former(const Run& run, const VariantName& variant);

/// Takes in one event. `now_s` is on the clock of Run::began_s.
void absorb(Run& run, const CheckEvent& event, double now_s);
/// Takes in the outcome; the run is over.
void finish(Run& run, CheckResult result, double now_s);

/// What a phase does, for people: "Comparing results".
std::string phase_words(const PhaseProgress& phase);

/// The compiler's messages in the learner's file, from the first failed build of the result.
std::vector<CompilerMessage> messages_of(const CheckResult& result);

/// The compiler's first error if it stands at a line of `file`; null elsewhere. Files are told by
/// name: compilers print the path they were given.
const CompilerMessage* first_error_in(const std::filesystem::path& file,
                                      std::span<const CompilerMessage> messages);

/// "Line 7: identifier "x" is undefined"
std::string at_its_line(const CompilerMessage& message);

/// The phase that is running, or nullptr.
const PhaseProgress* running_phase(const Run& run);

}  // namespace klab::ui
