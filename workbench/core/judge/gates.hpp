// Gates: each from what a check observed, and what they have in common.
#pragma once

#include <optional>
#include <string>

#include "core/base/advice.hpp"
#include "core/course/lab.hpp"
#include "core/judge/evidence.hpp"
#include "core/verdict/verdict.hpp"

namespace klab::gates {

Gate built(const Evidence& evidence);
Gate correct(const Evidence& evidence);
Gate same_work(const Evidence& evidence);
/// The work that falls short of the task's, else the first that was counted; nullopt if none was.
std::optional<Gate> counted_steps(const Evidence& evidence);
Gate cause(const Evidence& evidence, const CauseTarget& asked);
Gate speedup(const Evidence& evidence, double target);
/// How long a measurement takes: who waits for its answer waits that long.
Gate budget(const Evidence& evidence, double at_most_s);
/// The share of a measured ceiling that the candidate reaches, as the task's least work over its
/// time.
Gate ceiling_share(const Evidence& evidence, const CeilingTarget& target);

/// A gate that nothing could be said about, with the reason.
Gate unknown(GateName name, std::string subject, std::string why, Advice advice = {});
Gate unknown(GateName name, std::string subject, const Error& error);
Gate failed(GateName name, std::string subject, const Error& error);

Target at_least(double value, std::string unit);
/// A gate of time that nothing was timed for.
void leave_untimed(Gate& gate, const Evidence& evidence);
/// A gate that was never reached; `detail` says that an earlier one did not pass.
void leave_unreached(Gate& gate, std::string detail);
/// nullptr if it was not timed.
const VariantTimes* times_of(const Evidence& evidence, const VariantName& variant);
/// What gives the next hint of the lab that was judged.
Act next_hint(const Evidence& evidence);

}  // namespace klab::gates
