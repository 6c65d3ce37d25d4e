// Code lines: splits at line ends and puts spaces for tabs.
#include "ui/look/code_lines.hpp"

namespace klab::ui {
namespace {

constexpr std::size_t tab_columns = 4;

std::string with_spaces(std::string_view line) {
  std::string out;
  for (const char c : line) {
    if (c == '\t')
      out.append(tab_columns - out.size() % tab_columns, ' ');
    else if (c != '\r')
      out += c;
  }
  return out;
}

}  // namespace

std::vector<std::string> lines_of(std::string_view code) {
  std::vector<std::string> lines;
  while (true) {
    const auto end = code.find('\n');
    lines.push_back(with_spaces(code.substr(0, end)));
    if (end == std::string_view::npos) break;
    code.remove_prefix(end + 1);
    if (code.empty()) break;
  }
  return lines;
}

}  // namespace klab::ui
