// CodeIndent: what an editor does to the blanks at the beginning of a line. No ImGui.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace klab::ui {

/// A change just before the caret: so many bytes go, then `insert` comes.
struct Indentation {
  std::size_t remove = 0;
  std::string insert;
  bool operator==(const Indentation&) const = default;
};

/// What follows from the character that was typed last and ends at `caret`, a byte of `text`. A
/// line break takes over the blanks of its line, and two more behind an opening brace; a closing
/// brace alone on its line goes below the line of its opening one; a tab becomes blanks up to an
/// even column.
Indentation indent_typed(std::string_view text, std::size_t caret);

}  // namespace klab::ui
