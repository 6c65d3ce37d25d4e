// LineDiff: which lines of two texts belong together. No ImGui.
#pragma once

#include <string>
#include <vector>

namespace klab::ui {

/// One row of a side-by-side view: indices of lines, -1 where a side has none.
struct DiffRow {
  int left = -1;
  int right = -1;
  bool same = false;
};

/// Rows that keep the longest common subsequence of lines side by side, and what differs between
/// them facing each other; blanks at the ends of a
/// line do not count as a difference. Texts of more than 2,000 lines are paired by position.
std::vector<DiffRow> line_diff(const std::vector<std::string>& left,
                               const std::vector<std::string>& right);

}  // namespace klab::ui
