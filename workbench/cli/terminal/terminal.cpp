// Colours, tables and paragraphs for terminals.
#include "cli/terminal/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>

#include "core/base/text.hpp"
#include "core/base/tree.hpp"
#include "core/measure/format.hpp"

namespace klab::cli {
namespace {

/// Between columns; what a column of text, or the last one, is never narrower than; how much
/// further in stands what has no room beside the cells before it.
constexpr std::size_t gap = 2, narrowest_text = 12, narrowest_last = 20, deeper = 4;

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

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t from = 0;
  for (std::size_t end; (end = text.find('\n', from)) != std::string::npos; from = end + 1)
    lines.push_back(text.substr(from, end - from));
  lines.push_back(text.substr(from));
  return lines;
}

std::size_t longest_word(const std::string& text) {
  std::size_t longest = 0;
  for (const std::string& word : lines_of(wrapped(text, 1)))
    longest = std::max(longest, display_width(word));
  return longest;
}

}  // namespace

Terminal Terminal::of(std::FILE* stream) {
  Terminal terminal;
  const int descriptor = ::fileno(stream);
  terminal.interactive = ::isatty(descriptor) != 0;
  const std::string kind = environment("TERM");
  const bool dumb = kind.empty() || kind == "dumb";
  terminal.obeys = terminal.interactive && !dumb;
  terminal.colour = terminal.obeys && environment("NO_COLOR").empty();
  winsize size{};
  if (terminal.interactive && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.columns = std::clamp<std::size_t>(size.ws_col, narrowest_columns, widest_columns);
    terminal.rows = size.ws_row;
    terminal.screen = size.ws_col;
  }
  return terminal;
}

std::size_t Terminal::edge() const { return screen > 0 ? std::min(columns, screen) : columns; }

std::string Terminal::paint(Tone tone, std::string_view text) const {
  const std::string_view code = code_of(tone);
  if (!colour || code.empty() || text.empty()) return printable(text);
  return "\033[" + std::string(code) + "m" + printable(text) + "\033[0m";
}

void Table::add(std::vector<Cell> row) {
  for (Cell& cell : row) cell.text = printable(cell.text);
  rows_.push_back(std::move(row));
}

bool Table::is_line(const std::vector<Cell>& row) const {
  return row.size() == 1 && alignment_.size() > 1;
}

std::size_t Table::Band::end() const {
  return std::accumulate(widths.begin(), widths.end(), indent + gap * (widths.size() - 1));
}

std::size_t& Table::Band::widest_above(const std::vector<std::size_t>& least) {
  std::size_t widest = widths.size();
  for (std::size_t c = 0; c < widths.size(); ++c)
    if (widths[c] > least[c] && (widest == widths.size() || widths[c] > widths[widest])) widest = c;
  return widths[widest];
}

std::vector<Table::Band> Table::bands(std::size_t screen) const {
  const std::size_t count = alignment_.size();
  std::vector<std::size_t> whole(count, 0), least(count, narrowest_text);
  least.back() = narrowest_last;
  for (const auto& row : rows_) {
    if (is_line(row)) continue;
    for (std::size_t c = 0; c < row.size(); ++c) {
      whole[c] = std::max(whole[c], display_width(row[c].text));
      if (c + 1 < count) least[c] = std::max(least[c], longest_word(row[c].text));
    }
  }
  for (std::size_t c = 0; c < count; ++c)
    least[c] = alignment_[c] == 'l' ? std::min(least[c], whole[c]) : whole[c];
  Band all{0, indent_, whole};
  if (screen == 0 || Band{0, indent_, least}.end() <= screen) {
    while (screen > 0 && all.end() > screen) --all.widest_above(least);
    return {all};
  }
  std::vector<Band> bands;
  for (std::size_t c = 0; c < count; ++c) {
    if (bands.empty() || bands.back().end() + gap + whole[c] > screen)
      bands.push_back({c, bands.empty() ? indent_ : indent_ + deeper, {}});
    bands.back().widths.push_back(whole[c]);
  }
  return bands;
}

std::string Table::below(const Terminal& terminal, const Cell& cell, std::size_t indent) const {
  const std::size_t edge = terminal.edge();
  std::string text;
  for (const std::string& line :
       lines_of(wrapped(cell.text, edge > indent ? edge - indent : narrowest_text)))
    text += std::string(indent, ' ') + terminal.paint(cell.tone, line) + "\n";
  return text;
}

std::string Table::band_text(const Terminal& terminal, const std::vector<Cell>& row,
                             const Band& band) const {
  const std::size_t end = std::min(row.size(), band.first + band.widths.size());
  const bool too_wide = terminal.screen > 0 && band.end() > terminal.screen;
  if (band.widths.size() == 1 && (alignment_.size() > 1 || too_wide))
    return end > band.first && !row[band.first].text.empty()
               ? below(terminal, row[band.first], band.indent)
               : "";
  std::vector<std::vector<std::string>> cells;
  std::size_t column = band.indent, height = 0;
  for (std::size_t c = band.first; c < end; ++c) {
    std::size_t room = band.widths[c - band.first];
    if (c + 1 == alignment_.size() && alignment_[c] == 'l') {
      room = std::max(narrowest_last, std::max(terminal.edge(), column) - column);
      const std::size_t word = longest_word(row[c].text);
      if (c > band.first && word > room && column + word > terminal.screen && terminal.screen > 0)
        return band_text(terminal, {row.begin(), row.end() - 1}, band) +
               below(terminal, row[c], indent_ + deeper);
    }
    cells.push_back(lines_of(wrapped(row[c].text, room)));
    if (!row[c].text.empty()) height = std::max(height, cells.back().size());
    column += band.widths[c - band.first] + gap;
  }
  std::string text;
  for (std::size_t i = 0; i < height; ++i) {
    std::string line(band.indent, ' ');
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string piece = i < cells[c].size() ? cells[c][i] : std::string();
      const std::size_t width = std::min(band.widths[c], display_width(piece));
      const std::string padding(band.widths[c] - width, ' '),
          painted = terminal.paint(row[band.first + c].tone, piece);
      line += alignment_[band.first + c] == 'r' ? padding + painted : painted + padding;
      line.append(gap, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string Table::text(const Terminal& terminal) const {
  const std::vector<Band> parts = bands(terminal.screen);
  std::string result;
  for (const auto& row : rows_) {
    if (is_line(row)) {
      result += below(terminal, row[0], indent_);
      continue;
    }
    for (const Band& band : parts) result += band_text(terminal, row, band);
  }
  return result;
}

std::string row_text(const Terminal& terminal, std::vector<Cell> cells, std::size_t indent) {
  Table table(std::string(cells.size(), 'l'), indent);
  table.add(std::move(cells));
  return table.text(terminal);
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

std::string beginning_of(const Terminal& terminal, std::string_view all, std::size_t lines,
                         std::size_t indent, std::size_t left_out_bytes) {
  std::string text;
  for (; lines > 0 && !all.empty(); --lines) {
    const std::size_t end = std::min(all.find('\n'), all.size());
    text += std::string(indent, ' ') + shortened(all.substr(0, end), longest_printed_line) + "\n";
    all.remove_prefix(std::min(end + 1, all.size()));
  }
  if (const std::size_t more = all.size() + left_out_bytes; more > 0)
    text += paragraph(terminal, "and " + format_bytes(static_cast<double>(more)) + " more", indent,
                      Tone::faint);
  return text;
}

}  // namespace klab::cli
