// A size in place of one that is too large for any GPU.
#pragma once

#include <algorithm>

#include "core/course/lab.hpp"

namespace klab {

/// The longest extent a third as long: of sizes of three times 2^32 elements one a little above
/// 2^32.
inline Size a_third_of(Size size) {
  const auto longest = std::max_element(size.begin(), size.end());
  *longest = (*longest + 2) / 3;
  return size;
}

}  // namespace klab
