// LineEdits: each touched line by itself, then the selection moved with them.
#include "ui/edit/line_edits.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "ui/edit/characters.hpp"
#include "ui/edit/code_indent.hpp"

namespace klab::ui {
namespace {

constexpr std::string_view comment = "//";

bool has_text(std::string_view line) {
  return line.find_first_not_of(" \t\r\n") != std::string_view::npos;
}

std::size_t first_letter(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

/// With their line ends, so that together they are the text.
std::vector<std::string> lines_in(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

void outdent(std::string& line) {
  std::size_t blanks = 0;
  while (blanks < indent_step && blanks < line.size() && line[blanks] == ' ') ++blanks;
  line.erase(0, blanks == 0 && line.starts_with('\t') ? 1 : blanks);
}

void toggle_comments(std::vector<std::string>& lines) {
  bool all = true, any = false;
  std::size_t column = std::string::npos;
  for (const std::string& line : lines) {
    if (!has_text(line)) continue;
    const std::size_t at = first_letter(line);
    any = true;
    all = all && std::string_view(line).substr(at).starts_with(comment);
    column = std::min(column, at);
  }
  for (std::string& line : lines) {
    if (!any || !has_text(line)) continue;
    if (!all) {
      line.insert(column, std::string(comment) + " ");
      continue;
    }
    const std::size_t at = first_letter(line), behind = at + comment.size();
    line.erase(at, comment.size() + (behind < line.size() && line[behind] == ' '));
  }
}

/// Where a byte of a line goes when the line becomes another one: what changed is at its beginning.
std::size_t moved(std::size_t at, const std::string& before, const std::string& after) {
  if (at == 0 && after.size() >= before.size()) return 0;
  const std::size_t behind = before.size() - std::min(at, before.size());
  return after.size() - std::min(behind, after.size());
}

}  // namespace

LineEdit edit_lines(std::string_view text, Selection selection, LineAct act) {
  const std::size_t begin = line_begin(text, selection.from());
  std::size_t last = line_begin(text, selection.to());
  // Lines were selected up to the beginning of the one behind them.
  if (last == selection.to() && last > begin) last = line_begin(text, last - 1);
  const auto stop = text.find('\n', last);
  const std::size_t end = stop == std::string_view::npos ? text.size() : stop + 1;
  const std::vector<std::string> before = lines_in(text.substr(begin, end - begin));
  std::vector<std::string> after = before;
  if (act == LineAct::toggle_comment) toggle_comments(after);
  for (std::string& line : after) {
    if (act == LineAct::indent && has_text(line)) line.insert(0, indent_step, ' ');
    if (act == LineAct::outdent) outdent(line);
  }
  LineEdit edit{{begin, std::string(text.substr(begin, end - begin)), {}}, {}};
  for (const std::string& line : after) edit.change.inserted += line;
  const auto place = [&](std::size_t at) {
    if (at >= end && !(at == end && last == line_begin(text, at)))
      return at - end + begin + edit.change.inserted.size();
    std::size_t from = begin, to = begin;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const bool here = at < from + before[i].size() || i + 1 == before.size();
      if (here) return to + moved(at - from, before[i], after[i]);
      from += before[i].size(), to += after[i].size();
    }
    return to;
  };
  edit.after = {place(selection.anchor), place(selection.caret)};
  return edit;
}

}  // namespace klab::ui
