// Each line's bytes, in order.
#include "simulator/memory/uses_by_line.hpp"

#include <algorithm>

namespace klab::sim {
namespace {

std::optional<std::uint64_t> first_common(const std::vector<ByteRange>& a,
                                          const std::vector<ByteRange>& b) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const std::uint64_t begin = std::max(a[i].begin, b[j].begin);
    if (begin < std::min(a[i].end, b[j].end)) return begin;
    a[i].end < b[j].end ? ++i : ++j;
  }
  return std::nullopt;
}

}  // namespace

void UsesByLine::add(const UsesByLine& more) {
  for (const auto& [use, ranges] : more.uses_) uses_[use].add(ranges);
}

std::optional<UsesByLine::Conflict> UsesByLine::conflict_with(UsesByLine& other) {
  for (auto& [one, ranges] : uses_)
    for (auto& [two, others] : other.uses_) {
      if (one.how == two.how && one.how != How::writes) continue;
      if (const auto address = first_common(ranges.in_order(), others.in_order()))
        return Conflict{one, two, *address};
    }
  return std::nullopt;
}

}  // namespace klab::sim
