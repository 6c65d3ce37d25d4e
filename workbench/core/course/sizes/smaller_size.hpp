// A size in place of one that is too large for any GPU.
#pragma once

#include <algorithm>

#include "core/course/sizes/drawn_sizes.hpp"

namespace klab {

/// The longest extent so many times shorter that it is a little more than 2^32, or, where it is
/// less from the beginning, that all elements together are.
inline Size just_beyond_unsigned(Size size) {
  const auto longest = std::max_element(size.begin(), size.end());
  const std::int64_t extent = *longest >> 32;
  const std::int64_t times =
      extent > 0 ? extent : std::max<std::int64_t>(1, element_count(size) >> 32);
  *longest = (*longest + times - 1) / times;
  return size;
}

}  // namespace klab
