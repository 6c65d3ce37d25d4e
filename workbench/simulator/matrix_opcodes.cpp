// Matrix instructions.
#include "simulator/lanes.hpp"

namespace klab::sim {
std::span<const Opcode> matrix_opcodes() { return {}; }
}  // namespace klab::sim
