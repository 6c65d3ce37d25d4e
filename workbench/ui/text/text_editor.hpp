// TextEditor: a text editable in the window: the learner's kernel, with highlighting and messages,
// or a note.
#pragma once

#include <imgui.h>

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/build/plugin_builder.hpp"
#include "ui/edit/code_find.hpp"
#include "ui/edit/text_document.hpp"

namespace klab::ui {

/// What is drawn with the text.
struct EditorMarks {
  /// Prose has no line numbers and no highlighting, and Tab goes on to the next control.
  bool prose = false;
  std::span<const CompilerMessage> messages;
  std::optional<int> goto_line;  ///< to scroll to in this frame
  bool take_caret = false;       ///< begins editing in this frame
  int chosen_line = 0;           ///< tinted; 0: the caret's
  std::span<const TextMatch> matches;
  std::optional<std::size_t> current_match;
  float gutter_width = 0;  ///< left of the numbers, for `draw_gutter`
  /// Draws beside line `number`, whose row begins at `at`.
  std::function<void(ImDrawList&, int number, ImVec2 at, float height)> draw_gutter;
};

struct EditorResult {
  EditActs acts;         ///< what was done to the document in this frame
  bool editing = false;  ///< it has the keyboard
  bool keyed = false;    ///< acts came from the keyboard
  bool escaped = false;  ///< Escape was pressed in it; leave_editor() follows if nothing else does
};

/// Fills the current region, or so much of its height, scrolling both ways. The document is the
/// model's: what is done to it is told, not done.
EditorResult text_editor(const char* id, const TextDocument& document, const EditorMarks& marks,
                         float height = 0);
/// Gives the keyboard back.
void leave_editor();

/// Room for so many columns of code in an editor without bars, its numbers included.
float editor_width(int columns);

}  // namespace klab::ui
