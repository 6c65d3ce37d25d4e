// Which kernel was launched last and how, so that a device fault can name it and the occupancy
// calculator start from it.
#pragma once

#include <optional>
#include <string>

#include "core/wire/protocol.hpp"

namespace klab::runner {

void forget_last_launch();
/// The demangled name of the kernel launched last since forget_last_launch(); empty if unknown.
std::string last_launch();
/// Its shape, without the variant; nullopt if nothing was launched by a call that is noted.
std::optional<record::Launched> last_launch_shape();
/// The most that a block of any kernel was given since forget_last_launch().
std::size_t most_dynamic_shared_bytes();
/// Whether its grid has more than one row of blocks.
bool is_last_grid_in_rows();

}  // namespace klab::runner
