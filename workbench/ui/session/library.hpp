// Library: what is read from disk for the window: labs, lessons and code.
#pragma once

#include <filesystem>

#include "ui/model/model.hpp"

namespace klab::ui {

/// Reads all labs and how far the learner is with each.
void load_labs(Model& model, const std::filesystem::path& root);
/// Reads lesson, code and journal of the lab at `index` and makes it the current one.
void open_lab(Model& model, std::size_t index);
/// Puts the learner's last attempt into the figures of the open lab.
void refresh_figures(LabPage& page, const std::string& lab,
                     const std::vector<JournalEntry>& journal);
/// Reads the current lab's code files anew.
void reload_code(Model& model);
/// Reads explanation and solution of the current lab if they have opened since; the lesson then
/// begins with the explanation.
void open_what_was_earned(Model& model);

}  // namespace klab::ui
