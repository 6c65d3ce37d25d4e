// Drawn sizes: problem sizes that nobody knew before the check.
#pragma once

#include <cstdint>
#include <vector>

#include "core/course/lab.hpp"

namespace klab {

/// How many kinds of extents there are; a check draws a size of each for each dimension.
inline constexpr std::size_t drawn_kind_count = 8;
/// How many small sizes are drawn for their remainders.
inline constexpr std::size_t drawn_remainder_count = 16;

/// Sizes within the lab's range, as a function of lab and seed alone; none if the lab gives no
/// range. Mistakes hide at certain extents of one dimension, so in turn every dimension is a
/// multiple of 4,096, one of 1,024 alone, one of 32 alone, one of 3, 5, 7 and of 32 or more (whole
/// tiles of threads that are no power of two), one less or more than whole tiles, 1, larger than
/// the one that is timed, and as large as it gets. Then come small sizes: some that leave each
/// remainder of 16 in every dimension, where ways for each alignment of a row or an array part; of
/// a single extent more that lie beside whole tiles; powers of two in each and in all at once; and
/// some that share all extents but one with the one before, or the number of elements. No size has
/// more elements than the range allows, and on the simulator fewer still.
std::vector<Size> drawn_sizes(const Lab& lab, std::uint64_t seed, bool simulated);

/// The most elements that such a size has.
std::int64_t most_drawn_elements(const Lab& lab, bool simulated);

/// Product of all extents; the largest number there is where it would be more.
std::int64_t element_count(const Size& size);

}  // namespace klab
