// LineEdits: what happens to whole lines: indenting, outdenting, commenting. No ImGui.
#pragma once

#include <string_view>

#include "ui/edit/edit_history.hpp"

namespace klab::ui {

/// A change with the selection that follows it.
struct LineEdit {
  TextChange change;
  Selection after;
};

enum class LineAct { indent, outdent, toggle_comment };
/// Does `act` to the lines that the selection touches; lines without text stay as they are. A
/// selection that ends before the first letter of a line does not touch it.
LineEdit edit_lines(std::string_view text, Selection selection, LineAct act);

}  // namespace klab::ui
