// What a result keeps to itself: causes that are for the learner to find, gates that were not asked
// for or that a stop left out, and counts of what their source could not see.
#pragma once

#include <span>
#include <string>

#include "core/verdict/check_result.hpp"

namespace klab {

/// Leaves of each cause gate its outcome alone: what it counts is for the learner to find.
void hide_causes(CheckResult& result, const std::string& lab_slug);

/// Says of each gate behind `correct` that nobody asked for it, and concludes without them.
void leave_unasked(CheckResult& result);

/// Who asked for the check stopped it.
bool was_stopped(const CheckResult& result);
/// Says of each gate of a stopped check that nothing was seen for that it was not run: what else it
/// would lack here is no reason.
void leave_stopped(CheckResult& result);

/// What the compiler's report says of the kernels. Nothing where the file may load others, which
/// are in no report: they may be the ones that run.
void count_by_report(Counters& counters, std::span<const KernelReport> kernels, bool loads_others);

/// Takes back the simulator's counts of local memory where the compiler reports spills: registers
/// are unlimited in PTX, so what ptxas spills never reaches the simulator.
void withdraw_unseen_spills(Counters& counters);
/// Takes back a GPU's counts of instructions where a graph was launched: the counters that are
/// built into machine code ("smsp__sass_...") see none of the kernels that a graph starts.
void withdraw_unseen_in_graphs(Counters& counters);

}  // namespace klab
