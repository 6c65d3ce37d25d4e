// UnifiedDiff: the change between two texts as `diff -u` writes it.
#include <algorithm>

#include "core/base/diff/line_diff.hpp"

namespace klab {
namespace {

constexpr std::size_t context = 3;

/// "@@ -12,7 +12,9 @@" for the rows of one hunk. An empty side is named by the line before it.
std::string hunk_head(const std::vector<DiffRow>& rows, std::size_t begin, std::size_t end) {
  const auto range = [&](int DiffRow::*side) {
    int before = 0, count = 0;
    for (std::size_t i = 0; i < end; ++i)
      if (rows[i].*side >= 0) ++(i < begin ? before : count);
    return std::to_string(count > 0 ? before + 1 : before) + "," + std::to_string(count);
  };
  return "@@ -" + range(&DiffRow::left) + " +" + range(&DiffRow::right) + " @@";
}

/// The end of the hunk that begins before the difference at `first`: differences nearer than twice
/// the context belong together.
std::size_t hunk_end(const std::vector<DiffRow>& rows, std::size_t first) {
  std::size_t last = first;
  for (std::size_t i = first; i < rows.size() && i <= last + 2 * context; ++i)
    if (!rows[i].same) last = i;
  return std::min(last + context + 1, rows.size());
}

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after, std::size_t most_lines) {
  const std::vector<std::string> left = split_lines(before), right = split_lines(after);
  const std::vector<DiffRow> rows = line_diff(left, right);
  std::vector<std::string> lines;
  const auto line = [&](char sign, const std::vector<std::string>& side, int index) {
    if (index >= 0) lines.push_back(sign + side[static_cast<std::size_t>(index)]);
  };
  for (std::size_t at = 0; at < rows.size();) {
    if (rows[at].same) {
      ++at;
      continue;
    }
    const std::size_t begin = at - std::min(at, context), end = hunk_end(rows, at);
    lines.push_back(hunk_head(rows, begin, end));
    for (std::size_t i = begin; i < end;) {
      if (rows[i].same) {
        line(' ', left, rows[i++].left);
        continue;
      }
      std::size_t stop = i;
      while (stop < end && !rows[stop].same) ++stop;
      for (std::size_t k = i; k < stop; ++k) line('-', left, rows[k].left);
      for (std::size_t k = i; k < stop; ++k) line('+', right, rows[k].right);
      i = stop;
    }
    at = end;
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), most_lines); ++i) text += lines[i] + "\n";
  if (lines.size() > most_lines)
    text += "\\ " + std::to_string(lines.size() - most_lines) + " more lines are not shown.\n";
  return text;
}

}  // namespace klab
