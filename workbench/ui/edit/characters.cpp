// Characters: plain scanning, a line or the text at a time.
#include "ui/edit/characters.hpp"

#include <algorithm>
#include <cctype>

#include "core/base/text.hpp"

namespace klab::ui {
namespace {

constexpr std::string_view box = "\u25A1";

/// Bytes beyond ASCII count as letters: words in comments hold them.
enum class Kind { blank, word, mark, line_end };

Kind kind_at(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte == '\n' || (byte == '\r' && at + 1 < text.size() && text[at + 1] == '\n'))
    return Kind::line_end;
  if (byte == ' ' || byte == '\t') return Kind::blank;
  return byte >= 0x80 || byte == '_' || std::isalnum(byte) ? Kind::word : Kind::mark;
}

/// A character that is drawn as itself where the font has it: four bytes of UTF-8 are beyond what
/// the window's fonts can hold.
bool can_be_shown(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  if (utf8_length(character) == 0 || character.size() == 4) return false;
  const bool high_control = first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
  return first >= 0x20 && first != 0x7F && !high_control;
}

/// The columns from `column` on that the character takes.
std::size_t width_of(char first, std::size_t column) {
  return first == '\t' ? tab_columns - column % tab_columns : 1;
}

}  // namespace

std::size_t next_character(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  if (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n') return at + 2;
  return at + std::max<std::size_t>(utf8_length(text.substr(at)), 1);
}

std::size_t previous_character(std::string_view text, std::size_t at) {
  at = std::min(at, text.size());
  if (at == 0) return 0;
  if (at >= 2 && text[at - 1] == '\n' && text[at - 2] == '\r') return at - 2;
  for (std::size_t length = 2; length <= 4 && length <= at; ++length)
    if (utf8_length(text.substr(at - length, length)) == length) return at - length;
  return at - 1;
}

std::size_t next_word(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  const Kind kind = kind_at(text, at);
  if (kind == Kind::line_end) return next_character(text, at);
  while (at < text.size() && kind_at(text, at) == kind) ++at;
  while (at < text.size() && kind_at(text, at) == Kind::blank) ++at;
  return at;
}

std::size_t previous_word(std::string_view text, std::size_t at) {
  if (at == 0) return 0;
  const std::size_t from = line_begin(text, at);
  if (at == from) return previous_character(text, at);
  at = previous_character(text, at);
  while (at > from && kind_at(text, at) == Kind::blank) --at;
  const Kind kind = kind_at(text, at);
  while (at > from && kind_at(text, at - 1) == kind) --at;
  return at;
}

ByteRange word_at(std::string_view text, std::size_t at) {
  if (at >= text.size() || kind_at(text, at) == Kind::line_end) {
    if (at == 0 || kind_at(text, at - 1) == Kind::line_end) return {at, at};
    --at;
  }
  const Kind kind = kind_at(text, at);
  ByteRange range{at, at};
  while (range.begin > 0 && kind_at(text, range.begin - 1) == kind) --range.begin;
  while (range.end < text.size() && kind_at(text, range.end) == kind) ++range.end;
  return range;
}

std::size_t line_begin(std::string_view text, std::size_t at) {
  const auto before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

std::size_t line_end(std::string_view text, std::size_t at) {
  const auto end = text.find('\n', at);
  if (end == std::string_view::npos) return text.size();
  return end > 0 && text[end - 1] == '\r' && end > line_begin(text, at) ? end - 1 : end;
}

std::size_t line_offset(std::string_view text, int number) {
  std::size_t offset = 0;
  for (int line = 1; line < number; ++line) {
    const auto end = text.find('\n', offset);
    if (end == std::string_view::npos) break;
    offset = end + 1;
  }
  return offset;
}

int line_number(std::string_view text, std::size_t at) {
  return 1 + static_cast<int>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

int line_count(std::string_view text) { return line_number(text, text.size()); }

std::string_view line_break_near(std::string_view text, std::size_t at) {
  auto end = text.find('\n', at);
  if (end == std::string_view::npos) end = text.rfind('\n');
  return end != std::string_view::npos && end > 0 && text[end - 1] == '\r' ? "\r\n" : "\n";
}

std::size_t column_of(std::string_view line, std::size_t at) {
  std::size_t column = 0;
  for (std::size_t i = 0; i < std::min(at, line.size()); i = next_character(line, i))
    column += width_of(line[i], column);
  return column;
}

std::size_t byte_at_column(std::string_view line, std::size_t wanted) {
  std::size_t column = 0, at = 0;
  while (at < line.size()) {
    const std::size_t width = width_of(line[at], column);
    // The nearer edge of the character.
    if (column + width > wanted)
      return 2 * (wanted - column) > width ? next_character(line, at) : at;
    column += width;
    at = next_character(line, at);
  }
  return at;
}

std::string shown_line(std::string_view line) {
  std::string shown;
  std::size_t column = 0;
  for (std::size_t at = 0, next = 0; at < line.size(); at = next) {
    next = next_character(line, at);
    const std::string_view character = line.substr(at, next - at);
    const std::size_t width = width_of(line[at], column);
    if (line[at] == '\t')
      shown.append(width, ' ');
    else
      shown += can_be_shown(character) ? character : box;
    column += width;
  }
  return shown;
}

}  // namespace klab::ui
