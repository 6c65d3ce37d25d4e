// Deferred mode: makes visible that host memory is not yet what a pending copy will make it.
#pragma once

#include "simulator/runtime/streams/work.hpp"

namespace klab::sim {

/// What a word of host memory holds while a copy into it is pending: not a number as float, double
/// and half, and a conspicuous integer.
inline constexpr std::uint32_t poison_word = 0x7FF5CAFE;

/// Fills the pinned destination of a pending copy with poison and closes its whole pages to the
/// host, so that a read before the wait is seen, and its source's pages to writes. Of the copies in
/// a graph pages are closed alone: other steps may need what is there. Anything else is left alone.
void guard_pending(const Work& work);
/// Opens the pages again; before the copy runs.
void unguard_pending(const Work& work);

}  // namespace klab::sim
