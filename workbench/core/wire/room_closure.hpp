// How far the room of a runner can be closed on this machine.
#pragma once

#include <filesystem>

#include "core/process/room.hpp"

namespace klab {

/// The closest closure in which the runner finds its device: tried once a boot, driver and build,
/// without any kernel file, and remembered. KLAB_ROOM in the environment names another. A
/// simulator's room is always closed wholly.
Closure closure_for(const std::filesystem::path& runner);

}  // namespace klab
