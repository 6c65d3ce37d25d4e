// JournalParts: what the Journal page is made of, each in a file of its own.
#pragma once

#include "ui/model/commands.hpp"
#include "ui/model/model.hpp"

namespace klab::ui {

/// The rows of JournalPage::shown in a scrolling region; thousands of them cost no more than those
/// in sight.
void draw_journal_list(const Model& model, Commands& commands, float height);
/// The chosen entry, or the two chosen ones side by side.
void draw_journal_details(const Model& model, Commands& commands);
/// How well predictions held over time. Draws nothing before the first one.
void draw_calibration(const Model& model);
/// A field for a note to the open lab; Ctrl+Enter keeps it.
void draw_note_field(const Model& model, Commands& commands);

}  // namespace klab::ui
