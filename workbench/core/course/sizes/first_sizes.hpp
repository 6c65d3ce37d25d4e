// First sizes: what a check launches before all else.
#pragma once

#include <cstdint>
#include <vector>

#include "core/course/lab.hpp"

namespace klab {

/// The smallest size, then in turn, from the last extent to the first, sizes with that one drawn
/// and the others as small as can be, each longer than the one before. What is kept from launch to
/// launch and made anew when one extent grows is too short when another does: behind a large size
/// it would be long enough for all. None where there is one extent, or the lab gives no range.
std::vector<Size> first_sizes(const Lab& lab, std::uint64_t seed);

/// Those that a check launches whole, in its order: the first ones, the lab's own, the drawn ones.
std::vector<Size> checked_sizes(const Lab& lab, std::uint64_t seed, bool simulated);

/// Those at which the simulator looks at what passed on a GPU: the lab's own, and for each extent
/// one where that is long and the others are short: what is kept only of long ones, a graph of
/// fifty steps, is kept there.
std::vector<Size> looked_sizes(const Lab& lab);

}  // namespace klab
