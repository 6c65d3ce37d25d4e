// LineDiff: the longest common subsequence by dynamic programming; kernel files are short.
#include "ui/line_diff.hpp"

#include <algorithm>
#include <string_view>

namespace klab::ui {
namespace {

constexpr std::size_t most_lines = 2000;

bool same(std::string_view a, std::string_view b) {
  const auto trimmed = [](std::string_view text) {
    const auto end = text.find_last_not_of(" \t\r");
    return text.substr(0, end == std::string_view::npos ? 0 : end + 1);
  };
  return trimmed(a) == trimmed(b);
}

std::vector<DiffRow> by_position(std::size_t left, std::size_t right) {
  std::vector<DiffRow> rows;
  for (std::size_t i = 0; i < std::max(left, right); ++i)
    rows.push_back({i < left ? static_cast<int>(i) : -1, i < right ? static_cast<int>(i) : -1});
  return rows;
}

/// Lines that only one side has, put opposite those that only the other has.
std::vector<DiffRow> facing(const std::vector<DiffRow>& rows) {
  std::vector<DiffRow> paired;
  std::vector<int> left, right;
  const auto flush = [&] {
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i)
      paired.push_back({i < left.size() ? left[i] : -1, i < right.size() ? right[i] : -1});
    left.clear();
    right.clear();
  };
  for (const DiffRow& row : rows) {
    if (row.same) {
      flush();
      paired.push_back(row);
    } else if (row.left >= 0) {
      left.push_back(row.left);
    } else {
      right.push_back(row.right);
    }
  }
  flush();
  return paired;
}

}  // namespace

std::vector<DiffRow> line_diff(const std::vector<std::string>& left,
                               const std::vector<std::string>& right) {
  const std::size_t n = left.size(), m = right.size();
  if (n > most_lines || m > most_lines) return by_position(n, m);
  // common[i][j]: length of the longest common subsequence of left[i..] and right[j..].
  std::vector<std::vector<int>> common(n + 1, std::vector<int>(m + 1, 0));
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      common[i][j] = same(left[i], right[j]) ? common[i + 1][j + 1] + 1
                                             : std::max(common[i + 1][j], common[i][j + 1]);
  std::vector<DiffRow> rows;
  std::size_t i = 0, j = 0;
  while (i < n || j < m) {
    if (i < n && j < m && same(left[i], right[j]))
      rows.push_back({static_cast<int>(i++), static_cast<int>(j++), true});
    else if (i < n && (j == m || common[i + 1][j] >= common[i][j + 1]))
      rows.push_back({static_cast<int>(i++), -1});
    else
      rows.push_back({-1, static_cast<int>(j++)});
  }
  return facing(rows);
}

}  // namespace klab::ui
