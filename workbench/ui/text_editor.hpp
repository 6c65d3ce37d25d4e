// TextEditor: the learner's kernel, editable in the window, with highlighting and messages.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/plugin_builder.hpp"

namespace klab::ui {

/// Fills the current region. True when `text` was changed in this frame. Undo, selection and
/// clipboard are ImGui's; the text it would draw in one colour is drawn highlighted instead, with
/// the compiler's messages at their lines.
bool text_editor(const char* id, std::string& text, std::span<const CompilerMessage> messages,
                 std::optional<int> goto_line);

}  // namespace klab::ui
