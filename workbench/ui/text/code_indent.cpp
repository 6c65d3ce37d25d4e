// CodeIndent: the three characters that move a line's beginning.
#include "ui/text/code_indent.hpp"

#include <algorithm>

#include "ui/text/code_find.hpp"

namespace klab::ui {
namespace {

constexpr std::size_t step = 2;

/// The line that ends at `at`, from its beginning.
std::string_view line_until(std::string_view text, std::size_t at) {
  const auto before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return text.substr(begin, at - begin);
}

std::string_view leading_blanks(std::string_view line) {
  return line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
}

std::string blanks_after_break(std::string_view line) {
  std::string blanks(leading_blanks(line));
  const auto last = line.find_last_not_of(" \t");
  if (last != std::string_view::npos && line[last] == '{') blanks.append(step, ' ');
  return blanks;
}

}  // namespace

Indentation indent_typed(std::string_view text, std::size_t caret) {
  if (caret == 0 || caret > text.size()) return {};
  const std::size_t at = caret - 1;
  const std::string_view line = line_until(text, at);
  switch (text[at]) {
    case '\n':
      return {0, blanks_after_break(line)};
    case '\t':
      return {1, std::string(step - line.size() % step, ' ')};
    case '}': {
      const auto pair = bracket_pair(text, at);
      if (leading_blanks(line).size() != line.size() || !pair) return {};
      const std::string_view opening = line_until(text, std::min(pair->first, pair->second));
      return {line.size() + 1, std::string(leading_blanks(opening)) + "}"};
    }
    default:
      return {};
  }
}

}  // namespace klab::ui
