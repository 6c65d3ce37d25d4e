// Journal reading: keeps the journal page up to date with the journal on disk.
#pragma once

#include <filesystem>

#include "ui/model/model.hpp"

namespace klab::ui {

/// Whether the journal's file changed since it was last read; costs one look at the file.
bool journal_changed(const Model& model, const std::filesystem::path& root);
/// Reads the journal anew if it changed, and brings progress, calibration and what is shown up to
/// date.
void refresh_journal(Model& model, const std::filesystem::path& root);
/// Takes in an entry that was just appended as the last one.
void take_appended(Model& model, const std::filesystem::path& root, JournalEntry entry);
/// Finds the entries to show anew, after the query or the open lab changed.
void search_journal(Model& model);

}  // namespace klab::ui
