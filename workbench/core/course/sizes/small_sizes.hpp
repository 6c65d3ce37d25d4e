// Small sizes, each the like of which is easily forgotten or taken for another.
#pragma once

#include <vector>

#include "core/course/sizes/drawing.hpp"

namespace klab {

/// Small sizes that leave each remainder of 16 in every dimension, and each pair of remainders of 4
/// in two: what has a way of its own for each alignment takes all of them.
std::vector<Size> remainders(Drawing& drawing, const SizeRange& range, std::int64_t most);

/// Where there are two extents, one from 1 to 4, for which there may be a way of its own, and the
/// other odd and long; and one of 1 beside longer and longer ones. Where there are more, each in
/// turn between 2,048 and 4,096, the others as short as can be.
std::vector<Size> narrow_ones(Drawing& drawing, const SizeRange& range, std::int64_t most);

/// Where there are two extents, every fourth width up to a warp's, beside some of the other one:
/// there may be a way of its own for one width alone, which one check of four meets.
std::vector<Size> some_widths(Drawing& drawing, const SizeRange& range, std::int64_t most);

/// In each of several dimensions, the least extents whose reciprocal gives a quotient that is one
/// too small: 41 times the float next to 1/41 is less than 1, and so is 49 times the double next to
/// 1/49.
std::vector<Size> badly_inverted(Drawing& drawing, const SizeRange& range, std::int64_t most);

/// In each of several dimensions, an odd number of tiles of 96 and of 192, beside more of the
/// others than a warp has lanes, and one of 32 beside whole tiles of 64: each may have a way of its
/// own, which is not that of powers of two.
std::vector<Size> whole_tiles(Drawing& drawing, const SizeRange& range, std::int64_t most);

/// Small sizes of which each has all extents but one from the one before, one with as many elements
/// and two with as large a sum: what is kept by a part of the size is of the wrong size at the
/// next.
std::vector<Size> relatives(Drawing& drawing, const SizeRange& range, std::int64_t most);

}  // namespace klab
