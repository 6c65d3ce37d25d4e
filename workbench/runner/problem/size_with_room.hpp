// Which size beyond 32-bit indices a GPU tries whole.
#pragma once

#include <optional>

#include "runner/workload/workload.hpp"

namespace klab::runner {

/// This one, or a third of it where it is too large for any GPU; nullopt where there is no room for
/// it, or no time. Errors: RunnerError.
std::optional<Size> size_with_room(const Workload& workload, const Size& size);

/// Whether an element of the results takes so many operations, one after the other, that no
/// reference ends within a second.
bool is_one_long_chain(const Workload& workload, const Size& size);

}  // namespace klab::runner
