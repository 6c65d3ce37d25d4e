// Control-flow facts of one function: where diverged lanes meet again, and which registers are
// live.
#pragma once
#include <cstdint>
#include <vector>

namespace klab::sim {

// The blocks of a function, numbered from 0 in program order; successor -1 is the function's end.
struct FlowGraph {
  std::vector<std::vector<std::int32_t>> successors;
};

// Immediate post-dominator of each block; -1: the function's end, also for blocks that never reach
// it. Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001), on the reversed graph.
std::vector<std::int32_t> immediate_post_dominators(const FlowGraph& graph);

// One mention of a virtual register, in program order.
struct RegisterUse {
  std::uint32_t reg = 0;
  std::uint32_t position = 0;  // even: read before, odd: written after
  bool writes = false;
  bool may_keep = false;  // a write under a predicate: the old value can survive
};

struct BlockUses {
  std::vector<RegisterUse> uses;
  std::uint32_t first = 0, last = 0;  // positions
};

// [first, last] of the positions at which a register's value is needed; first > last: never.
struct LiveRange {
  bool unset = false;  // some way comes to a read with nothing written before
  std::uint32_t first = ~0u, last = 0;
};
std::vector<LiveRange> live_ranges(const FlowGraph& graph, const std::vector<BlockUses>& blocks,
                                   std::uint32_t registers);

}  // namespace klab::sim
