// A line through two sizes that differ in one extent, for each extent.
#include "runner/phases/shared_growth.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace klab::runner {
namespace {

/// The extent in which two sizes differ, if they differ in no other.
std::optional<std::size_t> only_difference(const Size& one, const Size& other) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i] == other[i]) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

/// From a size to one that asked for more.
struct Line {
  Size end;
  std::size_t end_bytes;
  std::int64_t steps;
  std::size_t bytes;  ///< in so many steps

  /// The one that comes farthest, and of these the longest: rows may grow in steps of a tile.
  bool is_better(const Line& other) const {
    return std::pair(end_bytes, steps) > std::pair(other.end_bytes, other.steps);
  }
  std::int64_t steps_beyond(std::size_t limit) const {
    const double each = static_cast<double>(bytes) / static_cast<double>(steps);
    return static_cast<std::int64_t>(static_cast<double>(limit - end_bytes) / each) + 1;
  }
};

}  // namespace

void SharedGrowth::launched(const Size& size, std::size_t bytes) {
  if (bytes > 0) asked_[size] = bytes;
}

std::vector<Size> SharedGrowth::around(std::size_t limit, const Size& highest) const {
  std::vector<std::optional<Line>> lines(highest.size());
  for (const auto& [less, less_bytes] : asked_)
    for (const auto& [more, more_bytes] : asked_) {
      const auto extent = only_difference(less, more);
      if (!extent || more[*extent] < less[*extent] || more_bytes <= less_bytes) continue;
      const Line line{more, more_bytes, more[*extent] - less[*extent], more_bytes - less_bytes};
      if (auto& best = lines[*extent]; more_bytes <= limit && (!best || line.is_better(*best)))
        best = line;
    }
  std::vector<Size> sizes;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i]) continue;
    const std::int64_t beyond = lines[i]->steps_beyond(limit);
    for (const std::int64_t steps : {beyond - 1, beyond}) {
      Size size = lines[i]->end;
      size[i] += steps;
      if (size[i] <= highest[i]) sizes.push_back(size);
    }
  }
  return sizes;
}

}  // namespace klab::runner
