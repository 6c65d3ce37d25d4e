// LabList: which labs the list shows, and in which order; what goes from lab to lab follows it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ui/model/model.hpp"

namespace klab::ui {

/// Categories in the order in which the course first meets them.
std::vector<std::string> categories(const Model& model);
/// The filter and the choice above the list let it through.
bool is_listed(const Model& model, const LabEntry& entry);
/// The labs that the list shows, from its top.
std::vector<std::size_t> listed_labs(const Model& model);
/// The one that the list shows next below the open lab (`step` 1) or above it (-1), which itself
/// may be left out; nullopt at the ends.
std::optional<std::size_t> lab_beside(const Model& model, int step);

}  // namespace klab::ui
