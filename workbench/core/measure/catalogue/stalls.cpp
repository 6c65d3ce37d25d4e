// Catalogue rows: what warps wait for, as shares of the time between two instructions of a warp.
#include "core/measure/catalogue/tables.hpp"

namespace klab::catalogue {
namespace {

// Each is cycles of one reason per issued instruction over all cycles per issued instruction.
constexpr Metric stall_rows[] = {
    {.name = "stall_long_scoreboard_pct",
     .label = "Stalled: long scoreboard",
     .unit = "%",
     .better = Direction::lower,
     .meaning = "Share of its time that a warp waits for data from global or local memory.",
     .try_next = "Keep more independent loads in flight, coalesce, reuse through shared memory.",
     .cupti = "100 * smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio / "
              "smsp__average_warp_latency_per_inst_issued.ratio"},
    {.name = "stall_short_scoreboard_pct",
     .label = "Stalled: short scoreboard",
     .unit = "%",
     .better = Direction::lower,
     .meaning =
         "Share of its time that a warp waits for data from shared memory or a special function.",
     .try_next = "Remove bank conflicts; keep values in registers.",
     .cupti = "100 * smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio / "
              "smsp__average_warp_latency_per_inst_issued.ratio"},
    {.name = "stall_barrier_pct",
     .label = "Stalled: barrier",
     .unit = "%",
     .better = Direction::lower,
     .meaning =
         "Share of its time that a warp waits for the other warps of the block at a barrier.",
     .try_next = "Fewer barriers, smaller blocks, warp shuffles.",
     .cupti = "100 * smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio / "
              "smsp__average_warp_latency_per_inst_issued.ratio"},
    {.name = "stall_membar_pct",
     .label = "Stalled: membar",
     .unit = "%",
     .better = Direction::lower,
     .meaning = "Share of its time that a warp waits for a memory fence.",
     .try_next = "Use narrower fences, or fewer of them.",
     .cupti = "100 * smsp__average_warps_issue_stalled_membar_per_issue_active.ratio / "
              "smsp__average_warp_latency_per_inst_issued.ratio"},
    {.name = "stall_lg_throttle_pct",
     .label = "Stalled: lg throttle",
     .unit = "%",
     .better = Direction::lower,
     .meaning =
         "Share of its time that a warp waits for room in the queue for global and local accesses.",
     .try_next = "Fewer and wider loads and stores.",
     .cupti = "100 * smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio / "
              "smsp__average_warp_latency_per_inst_issued.ratio"},
    {.name = "stall_mio_throttle_pct",
     .label = "Stalled: mio throttle",
     .unit = "%",
     .better = Direction::lower,
     .meaning = "Share of its time that a warp waits for room in the queue for shared memory and "
                "special functions.",
     .try_next = "Fewer and wider shared memory accesses.",
     .cupti = "100 * smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio / "
              "smsp__average_warp_latency_per_inst_issued.ratio"},
    {.name = "stall_tex_throttle_pct",
     .label = "Stalled: tex throttle",
     .unit = "%",
     .better = Direction::lower,
     .meaning = "Share of its time that a warp waits for room in the texture queue.",
     .try_next = "Fewer texture accesses, or global loads instead.",
     .cupti = "100 * smsp__average_warps_issue_stalled_tex_throttle_per_issue_active.ratio / "
              "smsp__average_warp_latency_per_inst_issued.ratio"},
    {.name = "stall_math_pipe_throttle_pct",
     .label = "Stalled: math pipe throttle",
     .unit = "%",
     .better = Direction::lower,
     .meaning = "Share of its time that a warp waits for a busy arithmetic pipe.",
     .try_next = "The pipe is the limit: do less of that arithmetic, or mix in other work.",
     .cupti = "100 * smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio / "
              "smsp__average_warp_latency_per_inst_issued.ratio"},
    {.name = "stall_wait_pct",
     .label = "Stalled: wait",
     .unit = "%",
     .better = Direction::lower,
     .meaning =
         "Share of its time that a warp waits for the fixed latency of its own last instruction.",
     .try_next = "More warps, or more independent instructions per thread.",
     .cupti = "100 * smsp__average_warps_issue_stalled_wait_per_issue_active.ratio / "
              "smsp__average_warp_latency_per_inst_issued.ratio"},
    {.name = "stall_branch_resolving_pct",
     .label = "Stalled: branch resolving",
     .unit = "%",
     .better = Direction::lower,
     .meaning = "Share of its time that a warp waits for the target of a branch.",
     .try_next = "Fewer branches: unroll, use predication.",
     .cupti = "100 * smsp__average_warps_issue_stalled_branch_resolving_per_issue_active.ratio / "
              "smsp__average_warp_latency_per_inst_issued.ratio"},
    {.name = "stall_dispatch_stall_pct",
     .label = "Stalled: dispatch stall",
     .unit = "%",
     .better = Direction::lower,
     .meaning = "Share of its time that a warp waits for the dispatcher.",
     .try_next = "Rare; look at the other reasons first.",
     .cupti = "100 * smsp__average_warps_issue_stalled_dispatch_stall_per_issue_active.ratio / "
              "smsp__average_warp_latency_per_inst_issued.ratio"},
    {.name = "stall_drain_pct",
     .label = "Stalled: drain",
     .unit = "%",
     .better = Direction::lower,
     .meaning = "Share of its time that a warp waits for its last stores to leave.",
     .try_next = "Spread stores over the kernel instead of its end.",
     .cupti = "100 * smsp__average_warps_issue_stalled_drain_per_issue_active.ratio / "
              "smsp__average_warp_latency_per_inst_issued.ratio"},
    {.name = "stall_gmma_pct",
     .label = "Stalled: gmma",
     .unit = "%",
     .better = Direction::lower,
     .meaning = "Share of its time that a warp waits for a warpgroup matrix instruction.",
     .try_next = "Issue the next matrix instruction before waiting for this one.",
     .cupti = "100 * smsp__average_warps_issue_stalled_gmma_per_issue_active.ratio / "
              "smsp__average_warp_latency_per_inst_issued.ratio"},
    {.name = "stall_imc_miss_pct",
     .label = "Stalled: imc miss",
     .unit = "%",
     .better = Direction::lower,
     .meaning = "Share of its time that a warp waits for a constant that is not in its cache.",
     .try_next = "Access constants by the same address in all threads of a warp.",
     .cupti = "100 * smsp__average_warps_issue_stalled_imc_miss_per_issue_active.ratio / "
              "smsp__average_warp_latency_per_inst_issued.ratio"},
    {.name = "stall_no_instruction_pct",
     .label = "Stalled: no instruction",
     .unit = "%",
     .better = Direction::lower,
     .meaning = "Share of its time that a warp waits for its next instruction to be fetched.",
     .try_next = "Shorter code: less unrolling, fewer jumps.",
     .cupti = "100 * smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio / "
              "smsp__average_warp_latency_per_inst_issued.ratio"},
    {.name = "stall_sleeping_pct",
     .label = "Stalled: sleeping",
     .unit = "%",
     .better = Direction::lower,
     .meaning = "Share of its time that a warp waits for the end of a nanosleep.",
     .try_next = "Sleep less in waiting loops.",
     .cupti = "100 * smsp__average_warps_issue_stalled_sleeping_per_issue_active.ratio / "
              "smsp__average_warp_latency_per_inst_issued.ratio"},
    {.name = "stall_misc_pct",
     .label = "Stalled: misc",
     .unit = "%",
     .better = Direction::lower,
     .meaning = "Share of its time that a warp waits for something that has no counter of its own.",
     .try_next = "Look at the other reasons first.",
     .cupti = "100 * smsp__average_warps_issue_stalled_misc_per_issue_active.ratio / "
              "smsp__average_warp_latency_per_inst_issued.ratio"},
    {.name = "stall_not_selected_pct",
     .label = "Stalled: not selected",
     .unit = "%",
     .meaning = "Share of its time that a warp could issue but another warp was chosen.",
     .try_next = "Healthy: there is more than enough to issue.",
     .cupti = "100 * smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio / "
              "smsp__average_warp_latency_per_inst_issued.ratio"},
    {.name = "stall_selected_pct",
     .label = "Stalled: selected",
     .unit = "%",
     .meaning = "Share of its time in which a warp issues an instruction.",
     .try_next = "Healthy: this is the work itself.",
     .cupti = "100 * smsp__average_warps_issue_stalled_selected_per_issue_active.ratio / "
              "smsp__average_warp_latency_per_inst_issued.ratio"},
};

}  // namespace

std::span<const Metric> stall_metrics() { return stall_rows; }

}  // namespace klab::catalogue
