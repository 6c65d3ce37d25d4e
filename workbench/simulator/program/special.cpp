// The names of special registers, and which of them depend on the block.
#include "simulator/program/special.hpp"

#include <array>
#include <utility>

namespace klab::sim {

namespace {

constexpr std::array<std::pair<std::string_view, Special>, 49> special_names{{
    {"%tid.x", Special::tid_x},
    {"%tid.y", Special::tid_y},
    {"%tid.z", Special::tid_z},
    {"%ntid.x", Special::ntid_x},
    {"%ntid.y", Special::ntid_y},
    {"%ntid.z", Special::ntid_z},
    {"%ctaid.x", Special::ctaid_x},
    {"%ctaid.y", Special::ctaid_y},
    {"%ctaid.z", Special::ctaid_z},
    {"%nctaid.x", Special::nctaid_x},
    {"%nctaid.y", Special::nctaid_y},
    {"%nctaid.z", Special::nctaid_z},
    {"%laneid", Special::laneid},
    {"%warpid", Special::warpid},
    {"%nwarpid", Special::nwarpid},
    {"%smid", Special::smid},
    {"%nsmid", Special::nsmid},
    {"%gridid", Special::gridid},
    {"%lanemask_eq", Special::lanemask_eq},
    {"%lanemask_lt", Special::lanemask_lt},
    {"%lanemask_le", Special::lanemask_le},
    {"%lanemask_gt", Special::lanemask_gt},
    {"%lanemask_ge", Special::lanemask_ge},
    {"%clusterid.x", Special::clusterid_x},
    {"%clusterid.y", Special::clusterid_y},
    {"%clusterid.z", Special::clusterid_z},
    {"%nclusterid.x", Special::nclusterid_x},
    {"%nclusterid.y", Special::nclusterid_y},
    {"%nclusterid.z", Special::nclusterid_z},
    {"%cluster_ctaid.x", Special::cluster_ctaid_x},
    {"%cluster_ctaid.y", Special::cluster_ctaid_y},
    {"%cluster_ctaid.z", Special::cluster_ctaid_z},
    {"%cluster_nctaid.x", Special::cluster_nctaid_x},
    {"%cluster_nctaid.y", Special::cluster_nctaid_y},
    {"%cluster_nctaid.z", Special::cluster_nctaid_z},
    {"%cluster_ctarank", Special::cluster_ctarank},
    {"%cluster_nctarank", Special::cluster_nctarank},
    {"%is_explicit_cluster", Special::is_explicit_cluster},
    {"%dynamic_smem_size", Special::dynamic_smem_size},
    {"%total_smem_size", Special::total_smem_size},
    {"%aggr_smem_size", Special::aggr_smem_size},
    {"%reserved_smem_offset_begin", Special::reserved_smem_begin},
    {"%reserved_smem_offset_0", Special::reserved_smem_begin},
    {"%reserved_smem_offset_1", Special::reserved_smem_begin},
    {"%reserved_smem_offset_end", Special::reserved_smem_end},
    {"%reserved_smem_offset_cap", Special::reserved_smem_capacity},
    {"%current_graph_exec", Special::zero},
    {"%envreg1", Special::envreg1},
    {"%envreg2", Special::envreg2},
}};

}  // namespace

std::optional<Special> special_named(std::string_view name) {
  for (const auto& [known, special] : special_names)
    if (known == name) return special;
  if (name.starts_with("%pm") || name.starts_with("%envreg")) return Special::zero;
  return std::nullopt;
}

bool asks_for_reserved_smem(Special special) {
  return special == Special::reserved_smem_begin || special == Special::reserved_smem_end;
}

bool asks_for_grid_barrier(Special special) {
  return special == Special::envreg1 || special == Special::envreg2;
}

bool depends_on_block(Special special) {
  switch (special) {
    case Special::ctaid_x:
    case Special::ctaid_y:
    case Special::ctaid_z:
    case Special::smid:
    case Special::clusterid_x:
    case Special::clusterid_y:
    case Special::clusterid_z:
    case Special::cluster_ctaid_x:
    case Special::cluster_ctaid_y:
    case Special::cluster_ctaid_z:
    case Special::cluster_ctarank:
      return true;
    default:
      return false;
  }
}

}  // namespace klab::sim
