// CodeView: a kernel file to read, with line numbers and highlighting.
#pragma once

#include <imgui.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ui/text/code_gutter.hpp"
#include "ui/text/text_editor.hpp"

namespace klab::ui {

/// Draws `code` into the rest of the current region, scrolling both ways. The line that was
/// clicked, from 1.
std::optional<int> code_view(const char* id, std::string_view code, const EditorMarks& marks = {});
/// One text of a comparison.
struct ComparedCode {
  std::string_view title, text;
  ImU32 tint = 0;                    ///< behind lines that its left neighbour does not have
  const HeatColumn* heat = nullptr;  ///< bars beside its line numbers
};
/// Two or three texts side by side, scrolling together. Each is compared with its left neighbour,
/// the first one with the second.
void code_comparison(const char* id, std::span<const ComparedCode> texts);
/// Draws all of `code` at its own height, for code blocks in prose. Returns that height.
float code_block(std::string_view code, bool highlighted);

/// Draws one highlighted line and returns its width; `in_comment` goes from line to line. A `size`
/// of 0 is that of the theme's font.
float draw_code_line(ImDrawList& list, std::string_view line, ImVec2 at, bool& in_comment,
                     float size = 0);
/// Height of a line of code.
float code_line_height();
/// Keeps track of comments over a line that is not drawn.
void skip_code_line(std::string_view line, bool& in_comment);

}  // namespace klab::ui
