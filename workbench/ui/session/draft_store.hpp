// DraftStore: keeps what was typed or answered in the window and not yet saved, through any end of
// the program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/course/lab.hpp"

namespace klab::ui {

struct KeptDraft {
  std::string text;
  bool file_is_newer = false;  ///< the learner's file was saved after the draft was kept
};

struct DraftFile {
  std::filesystem::path path;
  std::filesystem::path put_aside;  ///< what another window had kept there; empty if nothing
};

/// Writes the draft of a lab to workbook/drafts/, or, where that cannot be written, to a folder of
/// the user's own ($XDG_STATE_HOME/klab, else ~/.local/state/klab, else the temporary folder).
/// `known` is the draft as this window last kept or found it: what lies there and is not that is
/// another window's, and is put aside in workbook/kept/ first. Errors: ErrorCode::io if nothing can
/// be written anywhere.
Result<DraftFile> keep_draft(const Lab& lab, const std::string& text, const std::string& known);
/// The newest kept draft that says something else than the learner's file.
std::optional<KeptDraft> kept_draft(const Lab& lab);
/// Once it is saved or taken back. Another window's is left, as it is saved nowhere else.
void forget_draft(const Lab& lab, const std::string& known);

/// The answers to a lab's questions, one for each, as long as they are not given for good.
using Answers = std::vector<std::optional<int>>;
/// Keeps them at the same places; with none answered, forgets them. Errors: as keep_draft().
Result<> keep_answers(const Lab& lab, const Answers& answers);
/// Those that the lab's questions still offer; all others are open.
Answers kept_answers(const Lab& lab);
void forget_answers(const Lab& lab);

}  // namespace klab::ui
