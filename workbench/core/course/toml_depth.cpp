// Dots and brackets outside of strings and comments are all that nesting is written with.
#include "core/course/toml_depth.hpp"

namespace klab {
namespace {

/// Where the string that begins at `at` ends: behind its closing quotes, or where a line or the
/// text ends it.
std::size_t end_of_string(std::string_view toml, std::size_t at) {
  const char quote = toml[at];
  const std::string_view three = toml.substr(at, 3);
  const bool is_long = three.size() == 3 && three[1] == quote && three[2] == quote;
  for (std::size_t i = at + (is_long ? 3 : 1); i < toml.size(); ++i) {
    if (toml[i] == '\\' && quote == '"')
      ++i;
    else if (!is_long && (toml[i] == quote || toml[i] == '\n'))
      return i + (toml[i] == quote);
    else if (is_long && toml.substr(i, 3) == three)
      return i + 3;
  }
  return toml.size();
}

}  // namespace

std::optional<std::uint32_t> line_too_deep(std::string_view toml) {
  std::uint32_t line = 1;
  int parts = 1, depth = 0;
  for (std::size_t i = 0; i < toml.size();) {
    const char c = toml[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = end_of_string(toml, i);
      for (; i < end; ++i) line += toml[i] == '\n';
      continue;
    }
    if (c == '#')
      while (i + 1 < toml.size() && toml[i + 1] != '\n') ++i;
    if (c == '\n') {
      ++line;
      parts = 1;
    }
    if (c == '.') ++parts;
    if (c == '=' || c == ',') parts = 1;
    if (c == '[' || c == '{') {
      ++depth;
      parts = 1;
    }
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (parts > most_key_parts || depth > most_nested_values) return line;
    ++i;
  }
  return std::nullopt;
}

}  // namespace klab
