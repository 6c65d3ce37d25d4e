// LabNumber: a lab is named by its number, digit by digit.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ui/model/model.hpp"

namespace klab::ui {

/// The index of the lab whose number was just typed; a course need not have all numbers. The first
/// digit names a lab at once; a second one soon after it goes on with the number, so that 1 and 2
/// lead to lab 12 where there is one. `anew`: what was typed before is over.
std::optional<std::size_t> lab_number_typed(const std::vector<LabEntry>& labs, bool anew = false);

}  // namespace klab::ui
