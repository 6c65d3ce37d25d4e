// Choosing the handler of a load or store.
#pragma once
#include <cstdint>

#include "simulator/program/program.hpp"
#include "simulator/ptx/text.hpp"

namespace klab::sim {

// `polling`: a load that may wait for another thread's store (volatile, acquire, relaxed).
Handler memory_handler(ptx::Space space, bool load, std::uint32_t base_bytes, bool polling);

}  // namespace klab::sim
