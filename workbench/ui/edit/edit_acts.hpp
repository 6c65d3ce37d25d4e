// EditActs: what somebody does to a text, as values.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace klab::ui {

/// Where a caret goes.
enum class Motion {
  left,
  right,
  word_left,
  word_right,
  up,
  down,
  line_begin,  ///< the first letter of the line or, from there, its first column
  line_end,
  text_begin,
  text_end
};

namespace edit {

/// A key with a letter. Typing replaces the selection, as everything that brings text does.
struct Type {
  std::string text;
};
/// Enter: a line end as the file has them, and the blanks of the line.
struct BreakLine {};
/// Text from elsewhere; its line ends become those of the file.
struct Paste {
  std::string text;
};
/// The selection or, without one, what lies between the caret and where `motion` leads.
struct Erase {
  Motion motion;
};
struct Move {
  Motion motion;
  bool select = false;
  int lines = 1;  ///< up and down
};
/// The caret goes to a byte; with `select` the selection's other end stays.
struct Place {
  std::size_t at;
  bool select = false;
};
struct Select {
  std::size_t anchor, caret;
};
/// Tab: the selected lines go right; without a selection blanks up to an even column.
struct Indent {};
/// Shift+Tab: the selected lines, or the caret's, go left.
struct Outdent {};
/// Makes the selected lines, or the caret's, comments, or code again if all are comments.
struct ToggleComment {};
/// Puts `text` where bytes [begin, end) are, and the caret behind it.
struct Replace {
  std::size_t begin, end;
  std::string text;
};
/// Puts `text` wherever find_all() finds `needle`.
struct ReplaceAll {
  std::string needle, text;
};
struct Undo {};
struct Redo {};

}  // namespace edit

using EditAct =
    std::variant<edit::Type, edit::BreakLine, edit::Paste, edit::Erase, edit::Move, edit::Place,
                 edit::Select, edit::Indent, edit::Outdent, edit::ToggleComment, edit::Replace,
                 edit::ReplaceAll, edit::Undo, edit::Redo>;
/// In order.
using EditActs = std::vector<EditAct>;

}  // namespace klab::ui
