// The full checks of what blocks hand over to each other: a fence, then an atomic operation or
// flag.
#include <fmt/format.h>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"

namespace klab::sim {

namespace {

std::string name_of_block(const LaunchState& launch, std::uint64_t number) {
  const Dim3& grid = launch.config.grid;
  return fmt::format("block ({}, {}, {})", number % grid.x, number / grid.x % grid.y,
                     number / grid.x / grid.y);
}

}  // namespace

void Checker::fence_between_blocks(const Warp& warp) {
  if (order_ != nullptr) order_->fence(who(warp, 0), warp.mask);
  fence_between_warps(warp);
}

// Where one block comes before the other here, on a GPU it may be otherwise.
void Checker::look_for_order(Warp& warp, const Inst& inst, std::uint32_t lanes,
                             const std::uint64_t* addresses, std::uint32_t bytes, AccessKind kind) {
  const LaunchState& launch = *warp.launch;
  const Program& program = *launch.program;
  const OrderRole role = program.code_roles[static_cast<std::size_t>(&inst - program.code.data())];
  for_each_lane(lanes, [&](std::uint32_t lane) {
    const std::uint64_t offset = addresses[lane] - launch.memory->arena();
    const BlockOrder::Who now = who(warp, lane);
    std::optional<BlockOrder::Conflict> other;
    if (kind == AccessKind::atomic) {
      other = order_->change(now, offset, bytes, role);
    } else {
      if (kind != AccessKind::store) other = order_->load(now, offset, bytes, role);
      if (const bool stores = !is_load(kind); stores && !other)
        other = order_->store(now, offset, bytes, role);
    }
    if (!other) return;
    const std::uint64_t address = launch.memory->arena() + other->offset;
    note_finding(
        warp, inst, FindingKind::block_race, lane,
        fmt::format(
            "{} of global memory at {:#x} that {} {} in the same launch, and nothing puts the one "
            "before the other: between what a block did and the atomic operation or the flag that "
            "tells of it, a __threadfence() has to lie, of each thread that did it, or of one "
            "behind a __syncthreads(); and others have to look at that word first: {}",
            kind == AccessKind::store    ? "write"
            : kind == AccessKind::atomic ? "atomic operation"
                                         : "read",
            address, name_of_block(launch, other->block), other->was_store ? "wrote" : "read",
            launch.memory->describe(address)));
  });
}

}  // namespace klab::sim
