// Colours, tables and paragraphs for terminals.
#include "cli/terminal/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "core/base/text.hpp"

namespace klab::cli {
namespace {

/// Between columns; what a column of text, or the last one, is never narrower than.
constexpr std::size_t gap = 2, narrowest_text = 12, narrowest_last = 20;

/// Codes of ECMA-48, section 8.3.117. Only the 16 basic colours: they follow the user's own theme.
std::string_view code_of(Tone tone) {
  switch (tone) {
    case Tone::strong:
      return "1";
    case Tone::faint:
      return "2";
    case Tone::good:
      return "32";
    case Tone::bad:
      return "31";
    case Tone::doubtful:
      return "33";
    case Tone::accent:
      return "36";
    case Tone::plain:
      break;
  }
  return {};
}

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t from = 0;
  for (std::size_t end; (end = text.find('\n', from)) != std::string::npos; from = end + 1)
    lines.push_back(text.substr(from, end - from));
  lines.push_back(text.substr(from));
  return lines;
}

}  // namespace

Terminal Terminal::of(std::FILE* stream) {
  Terminal terminal;
  const int descriptor = ::fileno(stream);
  terminal.interactive = ::isatty(descriptor) != 0;
  const char* kind = std::getenv("TERM");
  const bool dumb = kind == nullptr || std::string_view(kind) == "dumb";
  terminal.obeys = terminal.interactive && !dumb;
  terminal.colour = terminal.obeys && !is_set("NO_COLOR");
  winsize size{};
  if (terminal.interactive && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.columns = std::clamp<std::size_t>(size.ws_col, narrowest_columns, widest_columns);
    terminal.rows = size.ws_row;
    terminal.screen = size.ws_col;
  }
  return terminal;
}

std::string Terminal::paint(Tone tone, std::string_view text) const {
  const std::string_view code = code_of(tone);
  if (!colour || code.empty() || text.empty()) return printable(text);
  return "\033[" + std::string(code) + "m" + printable(text) + "\033[0m";
}

void Table::add(std::vector<Cell> row) {
  for (Cell& cell : row) cell.text = printable(cell.text);
  rows_.push_back(std::move(row));
}

std::vector<std::size_t> Table::widths(std::size_t screen) const {
  std::vector<std::size_t> widths(alignment_.size(), 0), least(alignment_.size(), narrowest_text);
  for (const auto& row : rows_)
    if (row.size() > 1 || alignment_.size() == 1)
      for (std::size_t c = 0; c < row.size(); ++c) {
        widths[c] = std::max(widths[c], display_width(row[c].text));
        for (const std::string& word : lines_of(wrapped(row[c].text, 1)))
          least[c] = std::max(least[c], display_width(word));
      }
  if (screen == 0) return widths;
  const auto total = [&] {
    return std::accumulate(widths.begin(), widths.end(), indent_ + gap * (widths.size() - 1));
  };
  while (total() > screen) {
    std::size_t* widest = nullptr;
    for (std::size_t c = 0; c < widths.size(); ++c)
      if (alignment_[c] == 'l' && widths[c] > least[c] &&
          (widest == nullptr || widths[c] > *widest))
        widest = &widths[c];
    if (widest == nullptr) break;
    --*widest;
  }
  return widths;
}

std::string Table::row_text(const Terminal& terminal, const std::vector<Cell>& row,
                            const std::vector<std::size_t>& widths) const {
  std::vector<std::vector<std::string>> cells;
  std::size_t column = indent_, height = 1;
  for (std::size_t c = 0; c < row.size(); ++c) {
    const bool last = c + 1 == row.size();
    std::size_t room = widths[c];
    if (last && alignment_[c] == 'l')
      room = std::max(narrowest_last, std::max(terminal.columns, column) - column);
    cells.push_back(lines_of(wrapped(row[c].text, room)));
    height = std::max(height, cells.back().size());
    column += widths[c] + gap;
  }
  std::string text;
  for (std::size_t i = 0; i < height; ++i) {
    std::string line(indent_, ' ');
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string piece = i < cells[c].size() ? cells[c][i] : std::string();
      const std::size_t width = std::min(widths[c], display_width(piece));
      const std::string padding(widths[c] - width, ' '),
          painted = terminal.paint(row[c].tone, piece);
      line += alignment_[c] == 'r' ? padding + painted : painted + padding;
      line.append(gap, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

/// Though its columns of text are as narrow as they can be read.
bool Table::leaves(std::size_t screen) const {
  const auto narrow = widths(screen);
  return screen > 0 && std::accumulate(narrow.begin(), narrow.end(),
                                       indent_ + gap * (narrow.size() - 1)) > screen;
}

std::string Table::folded_text(const Terminal& terminal) const {
  const std::size_t full = alignment_.size();
  Table front(alignment_.substr(0, full - 1), indent_);
  for (const auto& row : rows_)
    front.rows_.emplace_back(row.begin(), row.end() - (row.size() == full ? 1 : 0));
  const std::vector<std::size_t> columns = front.widths(terminal.screen);
  std::string result;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto& row = rows_[i];
    if (row.size() == 1) {
      result += std::string(indent_, ' ') + terminal.paint(row[0].tone, row[0].text) + "\n";
      continue;
    }
    result += front.row_text(terminal, front.rows_[i], columns);
    if (row.size() == full && !row.back().text.empty())
      result += paragraph(terminal, row.back().text, indent_ + 4, row.back().tone);
  }
  return result;
}

std::string Table::text(const Terminal& terminal) const {
  if (alignment_.size() > 2 && alignment_.back() == 'l' && leaves(terminal.screen) &&
      widths(0).back() > narrowest_last)
    return folded_text(terminal);
  const std::vector<std::size_t> columns = widths(terminal.screen);
  std::string result;
  for (const auto& row : rows_)
    result += row.size() == 1 && alignment_.size() > 1
                  ? std::string(indent_, ' ') + terminal.paint(row[0].tone, row[0].text) + "\n"
                  : row_text(terminal, row, columns);
  return result;
}

Cell outcome_cell(Outcome outcome) {
  switch (outcome) {
    case Outcome::pass:
      return {"✔ pass", Tone::good};
    case Outcome::fail:
      return {"✘ fail", Tone::bad};
    case Outcome::inconclusive:
      return {"~ unsure", Tone::doubtful};
    case Outcome::not_checkable:
      return {"· not here", Tone::faint};
  }
  return {};
}

std::string percent_bar(double percent, std::size_t cells) {
  const auto filled = static_cast<std::size_t>(
      std::clamp(percent / 100, 0.0, 1.0) * static_cast<double>(cells) + 0.5);
  std::string text;
  for (std::size_t i = 0; i < cells; ++i) text += i < filled ? "█" : "·";
  return text;
}

Cell verdict_cell(Outcome verdict, const std::vector<Gate>& gates) {
  return passes_provisionally(gates) ? Cell{"◐ passed provisionally", Tone::good}
                                     : outcome_cell(verdict);
}

std::string paragraph(const Terminal& terminal, std::string_view text, std::size_t indent,
                      Tone tone) {
  std::string result;
  for (const std::string& line :
       lines_of(wrapped(with_separators(printable(text)), terminal.columns - indent)))
    result += (line.empty() ? "" : std::string(indent, ' ') + terminal.paint(tone, line)) + "\n";
  return result;
}

std::string counted(std::size_t count, std::string_view thing) {
  return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

std::string hanging(const Terminal& terminal, const std::string& text) {
  if (terminal.screen == 0) return text;
  constexpr std::size_t narrow_indent = 6;
  std::string result;
  for (std::string line : lines_of(text)) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t wide_gap = line.find("  ", begin);
    std::size_t behind = begin;
    if (wide_gap != std::string::npos)
      behind = std::min(line.find_first_not_of(' ', wide_gap), line.size());
    if (behind > terminal.columns / 2) {  // no room beside what stands before it
      if (behind > begin) result += line.substr(0, wide_gap) + "\n";
      line.replace(0, behind, narrow_indent, ' ');
      behind = narrow_indent;
    }
    result += wrapped(line, terminal.columns, behind) + "\n";
  }
  result.pop_back();  // of the last line, which had no end
  return result;
}

}  // namespace klab::cli
