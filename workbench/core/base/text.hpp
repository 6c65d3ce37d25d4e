// Text: dates, and making text of unknown origin fit to show.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace klab {

/// The length of the UTF-8 sequence at the front, or 0 if there is none (RFC 3629, section 4).
std::size_t utf8_length(std::string_view text);
/// Every byte belongs to such a sequence.
bool is_utf8(std::string_view text);

/// The same text with everything a terminal could obey removed: control characters other than
/// newline and tab go, bytes that are not UTF-8 become U+FFFD.
std::string printable(std::string_view text);

/// The same with everything a terminal could obey shown instead of removed: "\\x1b[2J".
std::string escaped(std::string_view text);

/// The same with a capital at its beginning.
std::string capitalized(std::string_view text);

/// The same with ASCII letters in lower case: what is compared whatever its case.
std::string lowered(std::string_view text);

/// Whether the text begins with one of these.
bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> beginnings);

/// The same with separators of thousands in whole numbers of five digits or more that stand alone;
/// what stands between backquotes, and parts of names, paths and dates, stay as they are.
std::string with_separators(std::string_view text);

/// The same if it has no more characters than that, else as many of them and "...": for text of any
/// length that stands in a sentence or on a line.
std::string shortened(std::string_view text, std::size_t characters);

/// A word of the user's in a sentence: shortened, printable, in quotation marks.
std::string in_quotes(std::string_view word);

/// How many columns the text takes: one for each code point, none for control characters.
std::size_t display_width(std::string_view text);

/// Whole lines wrapped at `width` columns; continued lines begin with `indent` spaces.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);

/// Now, as "2026-11-21T03:04:05Z".
std::string now_utc();
/// Now, as "2026-11-21T03-04-05Z": fit for a file name.
std::string now_for_file_name();

}  // namespace klab
