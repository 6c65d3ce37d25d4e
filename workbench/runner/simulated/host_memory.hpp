// Ordinary memory of the host that kernel files take while they launch, and do not give back.
#pragma once

#include <cstdint>
#include <optional>

namespace klab::runner {

/// From now on what this thread allocates is the kernel file's, unless the runtime does it within
/// one of its calls.
void take_for_the_kernel_file(bool on);

/// How many pieces of it nobody has freed; absent where allocations are not seen, as under a
/// sanitizer.
std::optional<std::int64_t> kept_pieces();

/// Bytes of the largest piece that it took since this was last asked; 0 where none is seen.
std::uint64_t largest_piece();

}  // namespace klab::runner
