// Ranges that grow at their end, and are sorted now and then.
#include "simulator/memory/touched_memory.hpp"

#include <algorithm>

namespace klab::sim {

void ByteRanges::add(std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return;
  if (!ranges_.empty() && ranges_.back().begin <= begin && begin <= ranges_.back().end) {
    ranges_.back().end = std::max(ranges_.back().end, end);
    return;
  }
  ranges_.push_back({begin, end});
  if (ranges_.size() < most_) return;
  put_in_order();
  most_ = std::max<std::size_t>(4096, 2 * ranges_.size());
}

void ByteRanges::add(const ByteRanges& other) {
  for (const ByteRange& range : other.ranges_) add(range.begin, range.end);
}

void ByteRanges::forget(std::uint64_t begin, std::uint64_t end) {
  std::erase_if(ranges_, [&](const ByteRange& r) { return r.begin >= begin && r.begin < end; });
}

const std::vector<ByteRange>& ByteRanges::in_order() {
  put_in_order();
  return ranges_;
}

void ByteRanges::put_in_order() {
  std::sort(ranges_.begin(), ranges_.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  std::size_t kept = 0;
  for (const ByteRange& range : ranges_) {
    if (kept > 0 && range.begin <= ranges_[kept - 1].end)
      ranges_[kept - 1].end = std::max(ranges_[kept - 1].end, range.end);
    else
      ranges_[kept++] = range;
  }
  ranges_.resize(kept);
}

}  // namespace klab::sim
