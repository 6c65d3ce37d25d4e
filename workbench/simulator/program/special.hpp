// PTX special registers whose value is fixed for a launch, a block or a thread.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace klab::sim {

enum class Special : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_lt,
  lanemask_le,
  lanemask_gt,
  lanemask_ge,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  cluster_ctarank,
  cluster_nctarank,
  is_explicit_cluster,
  dynamic_smem_size,
  total_smem_size,
  aggr_smem_size,
  reserved_smem_begin,
  reserved_smem_end,
  reserved_smem_capacity,
  envreg1,
  envreg2,
  // Counters of performance, whose values PTX leaves open; what the driver sets for itself; and the
  // graph that a kernel launched: none.
  zero
};

// `%tid.x`; nothing for a name that is no special register.
std::optional<Special> special_named(std::string_view name);

// Shared memory that the system keeps for itself and for libraries, behind the kernel's own; there
// only for kernels that ask where it is.
inline constexpr std::uint32_t reserved_smem_bytes = 1024;
bool asks_for_reserved_smem(Special special);
bool asks_for_grid_barrier(Special special);

// Whether a special register differs from block to block.
bool depends_on_block(Special special);

}  // namespace klab::sim
