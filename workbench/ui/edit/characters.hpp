// Characters: where those of a text of bytes begin and end, and in which column they stand. Bytes
// that are not UTF-8 are characters too, so that a file is edited as it is. No ImGui.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace klab::ui {

inline constexpr std::size_t tab_columns = 4;

/// The byte behind the character at `at`, and the first one of that before it. A line end of two
/// bytes is one character. Both stay within the text.
std::size_t next_character(std::string_view text, std::size_t at);
std::size_t previous_character(std::string_view text, std::size_t at);
/// The beginning of the next word, or of the one before, as editors see words.
std::size_t next_word(std::string_view text, std::size_t at);
std::size_t previous_word(std::string_view text, std::size_t at);
/// From the first to behind the last byte of the word, or of the run of blanks, at `at`.
struct ByteRange {
  std::size_t begin = 0, end = 0;
  bool operator==(const ByteRange&) const = default;
};
ByteRange word_at(std::string_view text, std::size_t at);

/// Where the line of `at` begins and where its text ends, before its line end.
std::size_t line_begin(std::string_view text, std::size_t at);
std::size_t line_end(std::string_view text, std::size_t at);
/// Where line `number`, from 1, begins; that of the last line for a higher one.
std::size_t line_offset(std::string_view text, int number);
/// The line of a byte, from 1.
int line_number(std::string_view text, std::size_t at);
/// The lines of a text; one of an empty text.
int line_count(std::string_view text);
/// What ends lines around `at`: "\n" or "\r\n".
std::string_view line_break_near(std::string_view text, std::size_t at);

/// The column, from 0, at which byte `at` of `line` is drawn; a tab goes to the next stop.
std::size_t column_of(std::string_view line, std::size_t at);
/// The byte of `line` that is drawn nearest to `column`.
std::size_t byte_at_column(std::string_view line, std::size_t column);

/// The line as it is drawn: one code point a column, blanks for a tab, and a box for each byte that
/// is not UTF-8, each control character, and each character beyond what fonts of the window have.
std::string shown_line(std::string_view line);

}  // namespace klab::ui
