// Sizes alike: what a launch keeps is often kept by less than the size itself, by its number of
// elements, of blocks or of vectors.
#pragma once

#include <cstdint>
#include <vector>

#include "core/course/lab.hpp"

namespace klab {

/// Small sizes within the lab's range, one after the other: the first has room for all others;
/// of the rest each has with the one before it as many tiles of 4 or more in every extent, or as
/// many elements, or as large a sum of two extents, or all extents but one, of whole vectors, or as
/// many pieces of 1,024 elements. A function of lab and seed alone; none if the lab gives no range,
/// or its extents leave no choice.
std::vector<Size> sizes_alike(const Lab& lab, std::uint64_t seed);

}  // namespace klab
