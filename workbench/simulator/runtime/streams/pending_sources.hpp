// What pending copies still read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>

#include "simulator/runtime/streams/work.hpp"

namespace klab::sim {

/// Ordered by where they begin, so that a program with thousands of pending copies is asked about
/// its neighbours alone.
class PendingSources {
 public:
  using Place = std::multimap<const std::byte*, std::size_t>::iterator;

  Place add(const CopyWork& copy) {
    const std::size_t bytes = copy.source_span();
    longest_ = std::max(longest_, bytes);
    return bytes_.emplace(copy.source, bytes);
  }
  void remove(Place place) {
    bytes_.erase(place);
    if (bytes_.empty()) longest_ = 0;
  }
  /// Whether one of them reads some of these bytes.
  bool any_in(const std::byte* begin, std::size_t bytes) const {
    const std::byte* const end = begin + bytes;
    for (auto at = bytes_.lower_bound(end); at != bytes_.begin();) {
      --at;
      if (at->first + at->second > begin) return true;
      if (at->first + longest_ <= begin) return false;
    }
    return false;
  }

 private:
  std::multimap<const std::byte*, std::size_t> bytes_;
  std::size_t longest_ = 0;
};

}  // namespace klab::sim
