// Terminal: colour only where it is wanted, and tables that line up.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "core/verdict/verdict.hpp"

namespace klab::cli {

/// What a piece of text means; the colour follows from it.
enum class Tone { plain, strong, faint, good, bad, doubtful, accent };

/// No text is laid out wider than this, nor narrower than the smallest screen.
inline constexpr std::size_t widest_columns = 100;
inline constexpr std::size_t narrowest_columns = 40;

/// How text is shown on one stream.
struct Terminal {
  bool colour = false;
  bool interactive = false;
  bool obeys = false;  ///< it is a terminal that escape sequences work on: not TERM=dumb
  std::size_t columns = widest_columns;
  std::size_t rows = 0;    ///< 0 where it is no terminal
  std::size_t screen = 0;  ///< its whole width, for tables; 0 where it is no terminal

  /// Where prose ends.
  std::size_t edge() const;
  /// Colour if the stream is a terminal, NO_COLOR is not set (no-color.org) and TERM is not "dumb".
  static Terminal of(std::FILE* stream);
  /// The text, made printable(), in the tone's colour.
  std::string paint(Tone tone, std::string_view text) const;
};

/// One cell; several pieces of tone are not needed.
struct Cell {
  std::string text;
  Tone tone = Tone::plain;
};

/// Rows of cells, each column as wide as its widest cell, two spaces between. A table that would
/// leave the screen has its columns of text wrapped, the widest first, as far as they stay legible;
/// where that is not enough, a column that finds no room beside those before it begins a line below
/// them, further in, for every row. So only a word wider than the screen leaves it. The text of the
/// cells is made printable().
class Table {
 public:
  /// `alignment` has one letter a column: l or r.
  explicit Table(std::string alignment, std::size_t indent = 2)
      : alignment_(std::move(alignment)), indent_(indent) {}
  void add(std::vector<Cell> row);
  /// A line across all columns, such as a heading of a group.
  void add_line(Cell cell) { add({std::move(cell)}); }
  bool empty() const { return rows_.empty(); }
  std::string text(const Terminal& terminal) const;

 private:
  /// Columns that stand beside each other in a line.
  struct Band {
    std::size_t first = 0, indent = 0;
    std::vector<std::size_t> widths;

    std::size_t end() const;
    std::size_t& widest_above(const std::vector<std::size_t>& least);
  };

  bool is_line(const std::vector<Cell>& row) const;
  std::vector<Band> bands(std::size_t screen) const;
  std::string band_text(const Terminal& terminal, const std::vector<Cell>& row,
                        const Band& band) const;
  std::string below(const Terminal& terminal, const Cell& cell, std::size_t indent) const;

  std::string alignment_;
  std::size_t indent_;
  std::vector<std::vector<Cell>> rows_;
};

/// The cells in one line, two spaces between, laid out as a table's row: a heading, or a line of a
/// list that is shown as it grows.
std::string row_text(const Terminal& terminal, std::vector<Cell> cells, std::size_t indent = 2);

/// "✔", "✘", "~", "·" with a word, and the tone that goes with it.
Cell outcome_cell(Outcome outcome);

/// A bar of so many cells, filled by percent.
std::string percent_bar(double percent, std::size_t cells);

/// The same for a whole verdict: what passes_provisionally() has a sign of its own.
Cell verdict_cell(Outcome verdict, const std::vector<Gate>& gates);

/// A paragraph indented by `indent`, made printable() and wrapped at the terminal's width.
std::string paragraph(const Terminal& terminal, std::string_view text, std::size_t indent,
                      Tone tone = Tone::plain);

/// Of what a kernel or the compiler printed: more would push what klab says off the screen.
inline constexpr std::size_t most_printed_lines = 40;
/// Characters of one line of it.
inline constexpr std::size_t longest_printed_line = 400;
/// The first lines of `all`, which is printable, each cut where it is longer; then how many bytes
/// come behind them, with those that were left out before.
std::string beginning_of(const Terminal& terminal, std::string_view all, std::size_t lines,
                         std::size_t indent = 0, std::size_t left_out_bytes = 0);

/// "1 line", "2 lines".
std::string counted(std::size_t count, std::string_view thing);

/// The text with lines that would leave the screen wrapped, each below what stands behind its first
/// wide gap: for a help text.
std::string hanging(const Terminal& terminal, const std::string& text);

}  // namespace klab::cli
