// By allocation: where blocks that were left out would have written nobody knows.
#include "simulator/runtime/state/left_out.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace klab::sim {

bool LeftOut::reads_incomplete(const DeviceMemory& memory, TouchedMemory touched) const {
  const std::array<ByteRanges*, 2> reads{&touched.read, &touched.atomic};
  return std::any_of(reads.begin(), reads.end(), [&](ByteRanges* ranges) {
    const auto& all = ranges->in_order();
    return std::any_of(all.begin(), all.end(), [&](const ByteRange& range) {
      const Allocation* found = memory.find(range.begin);
      return found != nullptr && incomplete.contains(found->id);
    });
  });
}

bool LeftOut::reads_what_is_missing(const DeviceMemory& memory, TouchedMemory touched) {
  const std::vector<ByteRange>& written = there.in_order();
  const auto is_missing = [&](const ByteRange& range) {
    const Allocation* found = memory.find(range.begin);
    if (found == nullptr || !incomplete.contains(found->id)) return false;
    const auto behind =
        std::upper_bound(written.begin(), written.end(), range.begin,
                         [](std::uint64_t at, const ByteRange& one) { return at < one.begin; });
    return behind == written.begin() || std::prev(behind)->end < range.end;
  };
  const std::vector<ByteRange>&read = touched.read.in_order(), &atomic = touched.atomic.in_order();
  return std::any_of(read.begin(), read.end(), is_missing) ||
         std::any_of(atomic.begin(), atomic.end(), is_missing);
}

void LeftOut::add_incomplete(const DeviceMemory& memory, TouchedMemory touched) {
  for (ByteRanges* ranges : {&touched.written, &touched.atomic})
    for (const ByteRange& range : ranges->in_order())
      if (const Allocation* found = memory.find(range.begin)) {
        incomplete.insert(found->id);
        there.add(range.begin, range.end);
      }
}

void LeftOut::notice_cut_short(Allocations& allocations, const void* address, std::size_t bytes) {
  const AllocationRecord* whole = allocations.at(reinterpret_cast<std::uint64_t>(address));
  if (whole == nullptr || whole->bytes >> 32 == 0) return;
  if (bytes == static_cast<std::uint32_t>(whole->bytes)) ++cut_short;
}

}  // namespace klab::sim
