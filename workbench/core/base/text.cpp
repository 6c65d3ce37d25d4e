// Dates, wrapping, and removal of what a terminal could obey.
#include "core/base/text.hpp"

#include <algorithm>
#include <cctype>
#include <ctime>

namespace klab {
namespace {

std::string format_now(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof(text), format, &parts)};
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F)) return 0;
  if ((first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F)) return 0;
  return length;
}

bool is_utf8(std::string_view text) {
  while (const std::size_t length = utf8_length(text)) text.remove_prefix(length);
  return text.empty();
}

std::string printable(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto first = static_cast<unsigned char>(text.front());
    // U+0080 to U+009F are control characters too: some terminals obey them.
    const bool high_control =
        length == 2 && first == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0;
    if (length == 0)
      clean += "\uFFFD";
    else if (!high_control && (first >= 0x20 || first == '\n' || first == '\t') && first != 0x7F)
      clean += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return clean;
}

std::string escaped(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string shown;
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(utf8_length(text), 1);
    const std::string_view one = text.substr(0, length);
    text.remove_prefix(length);
    // A line end of two characters is a line end.
    if (one == "\r" && text.starts_with("\n")) continue;
    if (printable(one) == one) {
      shown += one;
      continue;
    }
    for (const char c : one) {
      const auto byte = static_cast<unsigned char>(c);
      shown += std::string("\\x") + digits[byte >> 4] + digits[byte & 15];
    }
  }
  return shown;
}

std::string capitalized(std::string_view text) {
  std::string result(text);
  if (!result.empty())
    result.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(result.front())));
  return result;
}

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [=](std::string_view beginning) { return text.starts_with(beginning); });
}

std::string with_separators(std::string_view text) {
  constexpr std::size_t shortest = 5;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto is_any = [](char c, std::string_view of) { return of.find(c) != of.npos; };
  std::string out;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size();) {
    quoted ^= text[at] == '`';
    std::size_t end = at;
    while (end < text.size() && is_digit(text[end])) ++end;
    const std::string_view before = text.substr(0, at), behind = text.substr(end);
    const auto next = [&](std::size_t i) { return i < behind.size() ? behind[i] : ' '; };
    // "-5" is a number, "sm-5" and "2026-5" are not; a sentence may end in "5.".
    const bool begins =
        before.empty() || is_any(before.back(), " \n([+~") ||
        (before.back() == '-' && (before.size() < 2 || before[before.size() - 2] == ' '));
    const bool ends =
        !is_letter(next(0)) || (next(0) == 'x' && !is_letter(next(1)) && !is_digit(next(1)));
    const bool named = is_any(next(0), "_-/:#") && next(1) != ' ' && next(1) != '\n';
    const bool grouped = end - at >= shortest && begins && ends && !named && !quoted;
    for (std::size_t i = at; i < end; ++i) {
      if (grouped && i > at && (end - i) % 3 == 0) out += ',';
      out += text[i];
    }
    if (end == at) out += text[end++];
    at = end;
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t characters) {
  std::size_t at = 0;
  // A byte that is no UTF-8 counts as one, as it is shown.
  for (; characters > 0 && at < text.size(); --characters)
    at += std::max<std::size_t>(utf8_length(text.substr(at)), 1);
  return std::string(text.substr(0, at)) + (at < text.size() ? "..." : "");
}

std::string in_quotes(std::string_view word) {
  constexpr std::size_t longest_shown_word = 60;
  return "\"" + printable(shortened(word, longest_shown_word)) + "\"";
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && (byte & 0xC0) != 0x80;
  }));
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result;
  std::size_t column = 0;
  while (!text.empty()) {
    if (text.front() == '\n') {
      result += '\n';
      result.append(indent, ' ');
      column = indent;
      text.remove_prefix(1);
      continue;
    }
    // One step is a word with the spaces before it.
    const std::size_t start = text.find_first_not_of(' ');
    if (start == std::string_view::npos) break;
    const std::size_t end = std::min(text.find_first_of(" \n", start), text.size());
    const std::string_view word = text.substr(start, end - start);
    if (column > indent && column + start + display_width(word) > width) {
      result += '\n';
      result.append(indent, ' ');
      column = indent;
    } else {
      result.append(start, ' ');
      column += start;
    }
    result += word;
    column += display_width(word);
    text.remove_prefix(end);
  }
  return result;
}

std::string now_utc() { return format_now("%Y-%m-%dT%H:%M:%SZ"); }
std::string now_for_file_name() { return format_now("%Y-%m-%dT%H-%M-%SZ"); }

}  // namespace klab
