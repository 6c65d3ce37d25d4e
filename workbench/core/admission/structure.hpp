// What every lab must have, read from its files alone: a short start, a full gallery, facts that a
// learner needs, prose whose placeholders exist. Each function gives a sentence a fault.
#pragma once

#include <string>
#include <vector>

#include "core/course/lab.hpp"

namespace klab {

inline constexpr int longest_start_lines = 40;  ///< of a flawed kernel

using Faults = std::vector<std::string>;

/// The flawed kernel: short, with a TODO, and including its contract alone.
Faults start_faults(const Lab& lab);
/// Two wrong files, a slow one and two fair ones at least, and each says how it ends.
Faults gallery_faults(const Lab& lab);
/// The steps of lab.toml: each is a file of the gallery that is right.
Faults step_faults(const Lab& lab);
/// Lesson and explanation, whose placeholders and figures name facts.
Faults prose_faults(const Lab& lab);
/// Predictions, hints, sizes, causes and parameters of lab.toml.
Faults fact_faults(const Lab& lab);
/// All of them.
Faults structure_faults(const Lab& lab);

}  // namespace klab
