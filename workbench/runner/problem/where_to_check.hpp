// How much there is to check of a problem, and where a runner with a GPU does it.
#pragma once

#include <cstddef>

#include "runner/workload/workload.hpp"

namespace klab::runner {

/// Problems up to this many elements are small: a launch more costs next to nothing.
inline constexpr std::size_t most_small_elements = std::size_t{1} << 14;

/// Of all buffers.
std::size_t elements_of(const Workload& workload, const Size& size);

/// Floating-point operations of any kind.
double operations_of(const Workload& workload, const Size& size);

/// Whether a host works out the reference within a few milliseconds, by its operations.
bool is_quick(const Workload& workload, const Size& size);

/// Where a problem is filled and compared: small ones on the host, so that they have a true CPU
/// reference; larger ones on the device, where filling 64 Mi elements takes milliseconds instead of
/// seconds, and so do long computations of few elements.
Where where_to_check(const Workload& workload, const Size& size);

}  // namespace klab::runner
