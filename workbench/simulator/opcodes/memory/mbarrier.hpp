// What other instructions do to an mbarrier.
#pragma once
#include "simulator/opcodes/access/memory_access.hpp"

namespace klab::sim {

// `bytes` that an mbarrier awaits have come. The address is that of shared memory, of any block of
// the cluster, or a generic one.
void complete_bytes(Warp& warp, const Inst& inst, u32 lane, u64 address, u32 bytes);

// Where a shared or generic address lies in shared memory; null after raising a fault.
std::byte* locate_any_shared(Warp& warp, const Inst& inst, u32 lane, u64 address, u32 bytes,
                             AccessKind kind);

// Whose shared memory a place that was found lies in: this block or another one of its cluster.
BlockState& block_of(Warp& warp, const std::byte* at);

}  // namespace klab::sim
