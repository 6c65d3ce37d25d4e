// How a diagnosis and stall samples are shown on a terminal.
#pragma once

#include <string>

#include "cli/terminal/terminal.hpp"
#include "core/investigate/investigation.hpp"

namespace klab::cli {

/// Class, evidence, waste and experiments of one kernel. `label` says where the numbers come from
/// if they are not fresh: "recorded on NVIDIA H200, 2026-11-21"; else it is empty.
std::string view_diagnosis(const Terminal& terminal, const Diagnosis& diagnosis,
                           const std::string& label);

/// Of a stalls investigation: every diagnosis, with what to try but for a learner of
/// the lab `withheld_for` (its slug; empty: nothing is withheld); every kernel's stalls
/// and hottest lines.
std::string view_diagnoses(const Terminal& terminal, const Investigation& found,
                           const std::string& withheld_for);
std::string view_stalls(const Terminal& terminal, const Investigation& found);

}  // namespace klab::cli
