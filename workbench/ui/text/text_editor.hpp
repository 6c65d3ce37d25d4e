// TextEditor: the learner's kernel, editable in the window, with highlighting and messages.
#pragma once

#include <imgui.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/build/plugin_builder.hpp"
#include "ui/text/code_find.hpp"

namespace klab::ui {

/// What is drawn with the text.
struct EditorMarks {
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
  bool changed = false;           ///< `text` was changed in this frame
  std::optional<int> caret_line;  ///< while it is being edited
};

/// Fills the current region. Undo, selection and clipboard are ImGui's; the text it would draw in
/// one colour is drawn highlighted instead, with the compiler's messages at their lines.
EditorResult text_editor(const char* id, std::string& text, const EditorMarks& marks);

}  // namespace klab::ui
