// LineDiff: the longest common subsequence by dynamic programming; kernel files are short.
#include "core/base/diff/line_diff.hpp"

#include <algorithm>
#include <span>

namespace klab {
namespace {

constexpr std::size_t most_compared_lines = 2000;

bool same(std::string_view a, std::string_view b) {
  const auto trimmed = [](std::string_view text) {
    const auto end = text.find_last_not_of(" \t\r");
    return text.substr(0, end == std::string_view::npos ? 0 : end + 1);
  };
  return trimmed(a) == trimmed(b);
}

using Lines = std::span<const std::string>;

void pair_by_position(Lines left, Lines right, int from, std::vector<DiffRow>& rows) {
  const int n = static_cast<int>(left.size()), m = static_cast<int>(right.size());
  for (int i = 0; i < std::max(n, m); ++i)
    rows.push_back({i < n ? from + i : -1, i < m ? from + i : -1});
}

/// `left` and `right` begin at line `from` of their texts.
void pair_by_common_lines(Lines left, Lines right, int from, std::vector<DiffRow>& rows) {
  const std::size_t n = left.size(), m = right.size();
  // common[i][j]: length of the longest common subsequence of left[i..] and right[j..].
  std::vector<std::vector<int>> common(n + 1, std::vector<int>(m + 1, 0));
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      common[i][j] = same(left[i], right[j]) ? common[i + 1][j + 1] + 1
                                             : std::max(common[i + 1][j], common[i][j + 1]);
  std::size_t i = 0, j = 0;
  const auto line = [from](std::size_t& index) { return from + static_cast<int>(index++); };
  while (i < n || j < m) {
    if (i < n && j < m && same(left[i], right[j])) {
      const int at = line(i);
      rows.push_back({at, line(j), true});
    } else if (i < n && (j == m || common[i + 1][j] >= common[i][j + 1])) {
      rows.push_back({line(i), -1});
    } else {
      rows.push_back({-1, line(j)});
    }
  }
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
  // Versions of one file mostly begin and end alike; only what lies between costs anything.
  const std::size_t shorter = std::min(left.size(), right.size());
  std::size_t begin = 0, end = 0;
  while (begin < shorter && same(left[begin], right[begin])) ++begin;
  while (end < shorter - begin && same(left[left.size() - 1 - end], right[right.size() - 1 - end]))
    ++end;
  const Lines inner_left = Lines(left).subspan(begin, left.size() - begin - end);
  const Lines inner_right = Lines(right).subspan(begin, right.size() - begin - end);
  const int from = static_cast<int>(begin);
  std::vector<DiffRow> rows;
  for (int i = 0; i < from; ++i) rows.push_back({i, i, true});
  if (inner_left.size() > most_compared_lines || inner_right.size() > most_compared_lines)
    pair_by_position(inner_left, inner_right, from, rows);
  else
    pair_by_common_lines(inner_left, inner_right, from, rows);
  for (std::size_t i = end; i > 0; --i)
    rows.push_back({static_cast<int>(left.size() - i), static_cast<int>(right.size() - i), true});
  return facing(rows);
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace klab
