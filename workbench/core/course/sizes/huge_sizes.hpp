// Huge sizes: those beyond 32-bit indices.
#pragma once

#include <cstdint>
#include <vector>

#include "core/course/lab.hpp"

namespace klab {

/// The lab's sizes beyond 32-bit indices. Where an extent of one lies right above 2^31, a size
/// right below it comes next, by less than a block of 256: an int holds its elements, and not those
/// rounded up to whole blocks. Where one lies beyond 2^32, one as far below that comes last, for
/// those who count in unsigned.
std::vector<Size> huge_sizes(const Lab& lab, std::uint64_t seed);

/// Some sizes that a GPU would draw and the simulator cannot run whole, within what an int counts.
std::vector<Size> sizes_to_try_in_part(const Lab& lab, std::uint64_t seed);

}  // namespace klab
