// EditorPaint: an editor's text, numbers, caret and marks, line by line.
#pragma once

#include <imgui.h>

#include "ui/text/text_editor.hpp"

namespace klab::ui {

/// Where an editor's text is on the screen.
struct EditorView {
  ImVec2 text;      ///< of the first character, whether in sight or not
  ImVec2 from, to;  ///< the part of the screen that shows it, numbers included
  float line_height = 0;
  float gutter = 0;  ///< from `from.x` to the text's place when it is not scrolled
  bool editing = false;

  /// The byte nearest to a point of the screen.
  std::size_t byte_at(std::string_view text_shown, ImVec2 point) const;
  /// The upper end of the caret at a byte.
  ImVec2 place_of(std::string_view text_shown, std::size_t at) const;
};

/// How wide the text's longest line is.
float widest_line(std::string_view text);
void paint_editor(ImDrawList& list, const EditorView& view, const TextDocument& document,
                  const EditorMarks& marks);

}  // namespace klab::ui
