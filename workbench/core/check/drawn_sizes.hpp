// Drawn sizes: problem sizes that nobody knew before the check.
#pragma once

#include <cstdint>
#include <vector>

#include "core/course/lab.hpp"

namespace klab {

/// How many sizes a check draws: one of each kind.
inline constexpr std::size_t drawn_size_count = 8;

/// Sizes within the lab's range, as a function of lab and seed alone; none if the lab gives no
/// range. Mistakes hide at certain extents, so each size makes one of them a multiple of 4,096, of
/// 1,024 or of 32, odd, 1, or larger than the one that is timed, in turn. No size has more elements
/// than the range allows, and on the simulator fewer still.
std::vector<Size> drawn_sizes(const Lab& lab, std::uint64_t seed, bool simulated);

/// Product of all extents; the largest number there is where it would be more.
std::int64_t element_count(const Size& size);

}  // namespace klab
