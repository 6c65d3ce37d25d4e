// The verdict: five gates, each with its number, bound and where the number came from.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/advice.hpp"
#include "core/verdict/finding_kind.hpp"
#include "core/verdict/quantity.hpp"

namespace klab {

/// The outcome of a gate and of a whole check. The values are the exit codes of `klab check`.
enum class Outcome { pass = 0, fail = 1, inconclusive = 3, not_checkable = 4 };
/// "pass", "fail", "inconclusive", "not checkable here"
std::string_view to_string(Outcome outcome);
/// The inverse of to_string; nullopt for anything else.
std::optional<Outcome> outcome_from(std::string_view name);

/// Where a number came from.
enum class Source { measured, counted, compiler, modelled, recorded, traced, checked };
std::string_view to_string(Source source);
std::optional<Source> source_from(std::string_view name);

/// The five gates, in the order in which they are passed.
enum class GateName { built, correct, same_work, cause, time };
/// "built", "correct", "same work", "cause", "time"
std::string to_string(GateName name);
std::optional<GateName> gate_name_from(std::string_view name);

/// What the outcome of a gate rests on.
enum class Basis {
  seen,    ///< what the check saw, or could not see
  error,   ///< an error of the check, which its result tells by itself
  not_run  ///< nothing was run, because of an earlier gate
};

/// How the detail of a gate ends that nothing was run for.
inline constexpr std::string_view earlier_gate = "because an earlier gate did not pass.";

/// One gate of the verdict; of cause there is one for each counter, of time one for the speed-up
/// and one for the ceiling.
struct Gate {
  GateName name = GateName::built;
  std::string subject;  ///< what exactly: the name of a metric or a ceiling, speedup_subject, ...
  Outcome outcome = Outcome::not_checkable;
  std::optional<double> measured;  ///< absent means: not obtained, and `detail` says why
  std::optional<Target> target;    ///< what was asked for, if it is a number
  std::string unit;
  std::optional<Source> source;
  std::string detail;  ///< one or two sentences: what was seen
  Advice advice;       ///< what to do next; empty on pass
  Basis basis = Basis::seen;
  std::optional<FindingKind> finding{};  ///< a checker's, though every result was right
};

/// Of the gate time there is one for the speed-up, and one for the ceiling.
inline constexpr const char* speedup_subject = "speedup";
inline bool is_of_speedup(const Gate& gate) { return gate.subject == speedup_subject; }

/// How far a kernel came on one rung of a lab's ladder.
struct RungResult {
  std::string name;
  /// Of its own gates and of all that the rungs before it ask for: pass is reached.
  Outcome outcome = Outcome::not_checkable;
  std::vector<Gate> gates;  ///< cause and time, as this rung asks for them
};

/// The first rung that is not reached; nullptr if there is none.
const RungResult* next_rung(const std::vector<RungResult>& rungs);

/// An interval of confidence around a median or a ratio.
struct Interval {
  double median = 0;
  double low = 0;
  double high = 0;
};

/// fail if any gate failed; else inconclusive if any is; else not_checkable if any is; else pass.
Outcome combine(const std::vector<Gate>& gates);

/// All that this machine can check has passed, a cause among it; what is left takes another
/// machine, as the time does where there is no GPU.
bool passes_provisionally(const std::vector<Gate>& gates);

/// The one-line conclusion a learner reads first: names "counters met but not faster" and "faster,
/// but not for the taught reason" where they apply.
std::string conclusion(const std::vector<Gate>& gates);

}  // namespace klab
