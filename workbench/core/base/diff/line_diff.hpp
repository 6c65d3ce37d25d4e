// LineDiff: which lines of two texts belong together.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace klab {

/// One row of a side-by-side view: indices of lines, -1 where a side has none.
struct DiffRow {
  int left = -1;
  int right = -1;
  bool same = false;
};

/// Rows that keep the longest common subsequence of lines side by side, and what differs between
/// them facing each other; blanks at the ends of a line do not count as a difference. Between their
/// equal beginnings and ends, texts of more than 2,000 lines are paired by position.
std::vector<DiffRow> line_diff(const std::vector<std::string>& left,
                               const std::vector<std::string>& right);

/// The lines of a text, without their ends.
std::vector<std::string> split_lines(std::string_view text);

/// The change from `before` to `after` in the unified format (POSIX diff -u): hunks with three
/// lines of context, no file heads. Empty if no line differs. Stops after `most_lines` lines of
/// output and says so in a last line that begins with a backslash.
std::string unified_diff(std::string_view before, std::string_view after,
                         std::size_t most_lines = 400);

}  // namespace klab
