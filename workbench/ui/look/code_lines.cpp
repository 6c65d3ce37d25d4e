// Code lines: splits at line ends; how a line is drawn is told elsewhere.
#include "ui/look/code_lines.hpp"

#include "ui/edit/characters.hpp"

namespace klab::ui {

std::vector<std::string> lines_of(std::string_view code) {
  std::vector<std::string> lines;
  while (true) {
    const auto end = code.find('\n');
    std::string_view line = code.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(shown_line(line));
    if (end == std::string_view::npos) break;
    code.remove_prefix(end + 1);
    if (code.empty()) break;
  }
  return lines;
}

}  // namespace klab::ui
