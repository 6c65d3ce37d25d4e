// The values of constants, kernel parameters and special registers in a warp's frame.
#include <cstring>

#include "simulator/base/round_up.hpp"
#include "simulator/execute/warp/scheduler.hpp"
#include "simulator/program/special.hpp"

namespace klab::sim {

namespace {

// PTX tells it in whole units of allocation.
std::uint32_t total_smem_size(const LaunchState& launch) {
  return static_cast<std::uint32_t>(round_up(std::uint64_t{launch.shared_bytes}, 128));
}

std::uint32_t multiprocessors(const LaunchState& launch) {
  const std::uint32_t said = launch.limits.multiprocessors;
  return said > 0 ? said : Device::limits().multiprocessors;
}

std::uint64_t special_value(Special special, const LaunchState& launch, const BlockState& block,
                            std::uint32_t warp, std::uint32_t lane) {
  const Dim3 &grid = launch.config.grid, &size = launch.config.block, &cluster = launch.cluster;
  const std::uint32_t thread = warp * lane_count + lane;
  const Dim3& at = block.index;
  switch (special) {
    case Special::tid_x:
      return thread % size.x;
    case Special::tid_y:
      return thread / size.x % size.y;
    case Special::tid_z:
      return thread / size.x / size.y;
    case Special::ntid_x:
      return size.x;
    case Special::ntid_y:
      return size.y;
    case Special::ntid_z:
      return size.z;
    case Special::ctaid_x:
      return at.x;
    case Special::ctaid_y:
      return at.y;
    case Special::ctaid_z:
      return at.z;
    case Special::nctaid_x:
      return grid.x;
    case Special::nctaid_y:
      return grid.y;
    case Special::nctaid_z:
      return grid.z;
    case Special::laneid:
      return lane;
    case Special::warpid:
      return warp;
    case Special::nwarpid:
      return Device::limits().threads_per_multiprocessor / lane_count;
    case Special::smid:
      return block.number % multiprocessors(launch);
    case Special::nsmid:
      return multiprocessors(launch);
    case Special::gridid:
      return 1;
    case Special::lanemask_eq:
      return 1u << lane;
    case Special::lanemask_lt:
      return (1u << lane) - 1;
    case Special::lanemask_le:
      return (2u << lane) - 1;
    case Special::lanemask_gt:
      return static_cast<std::uint32_t>(~((2ull << lane) - 1));
    case Special::lanemask_ge:
      return static_cast<std::uint32_t>(~((1ull << lane) - 1));
    case Special::clusterid_x:
      return at.x / cluster.x;
    case Special::clusterid_y:
      return at.y / cluster.y;
    case Special::clusterid_z:
      return at.z / cluster.z;
    case Special::nclusterid_x:
      return grid.x / cluster.x;
    case Special::nclusterid_y:
      return grid.y / cluster.y;
    case Special::nclusterid_z:
      return grid.z / cluster.z;
    case Special::cluster_ctaid_x:
      return at.x % cluster.x;
    case Special::cluster_ctaid_y:
      return at.y % cluster.y;
    case Special::cluster_ctaid_z:
      return at.z % cluster.z;
    case Special::cluster_nctaid_x:
      return cluster.x;
    case Special::cluster_nctaid_y:
      return cluster.y;
    case Special::cluster_nctaid_z:
      return cluster.z;
    case Special::cluster_ctarank:
      return block.rank;
    case Special::cluster_nctarank:
      return cluster.count();
    case Special::is_explicit_cluster:
      return cluster.count() > 1 ? 1 : 0;
    case Special::dynamic_smem_size:
      return launch.config.dynamic_shared_bytes;
    case Special::total_smem_size:
      return total_smem_size(launch);
    case Special::aggr_smem_size:
      return launch.info->static_shared_bytes + launch.config.dynamic_shared_bytes +
             reserved_smem_bytes;
    case Special::reserved_smem_begin:
      return launch.reserved_shared_begin();
    case Special::reserved_smem_end:
      return launch.reserved_shared_begin() + reserved_smem_bytes;
    case Special::reserved_smem_capacity:
      return reserved_smem_bytes;
    // The cooperative-groups library finds the grid's barrier word behind these two.
    case Special::envreg1:
      return launch.grid_workspace >> 32;
    case Special::envreg2:
      return launch.grid_workspace & 0xffffffff;
    case Special::zero:
      return 0;
  }
  return 0;
}

template <class T>
void fill(std::byte* to, std::uint64_t value) {
  const T narrow = static_cast<T>(value);
  for (int lane = 0; lane < lane_count; ++lane)
    std::memcpy(to + lane * sizeof(T), &narrow, sizeof(T));
}

void fill_uniform(std::byte* to, std::uint32_t bytes, std::uint64_t value) {
  if (bytes == 0) std::memcpy(to, &value, 4);
  if (bytes == 2) fill<std::uint16_t>(to, value);
  if (bytes == 4) fill<std::uint32_t>(to, value);
  if (bytes == 8) fill<std::uint64_t>(to, value);
}

void fill_special(std::byte* to, const SlotInit& init, const LaunchState& launch,
                  const BlockState& block, std::uint32_t warp) {
  const auto special = static_cast<Special>(init.value);
  if (depends_on_block(special))
    return fill_uniform(to, init.slot_bytes, special_value(special, launch, block, warp, 0));
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
    const std::uint64_t value = special_value(special, launch, block, warp, lane);
    std::memcpy(to + lane * init.slot_bytes, &value, init.slot_bytes);
  }
}

void fill_parameter(std::byte* to, const SlotInit& init, const LaunchState& launch) {
  std::uint64_t value = 0;
  std::memcpy(&value, launch.config.parameters.data() + init.value, init.value_bytes);
  const std::uint32_t shift = 64 - 8 * init.value_bytes;
  if (init.sign_extend)
    value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
  fill_uniform(to, init.slot_bytes, value);
}

}  // namespace

void fill_slots(WarpState& state, const FunctionCode& function, const LaunchState& launch,
                const BlockState& block, std::byte* frame, std::uint32_t local_base) {
  for (const SlotInit& init : function.inits) {
    std::byte* to = frame + init.slot;
    switch (init.kind) {
      case SlotInit::Kind::constant:
        fill_uniform(to, init.slot_bytes, init.value);
        break;
      case SlotInit::Kind::parameter:
        fill_parameter(to, init, launch);
        break;
      case SlotInit::Kind::special:
        fill_special(to, init, launch, block, state.warp.index);
        break;
      case SlotInit::Kind::local_address:
        fill_uniform(to, init.slot_bytes, local_base + init.value);
        break;
    }
  }
}

void fill_block_slots(BlockState& block, const FunctionCode& function, const LaunchState& launch) {
  for (const std::uint32_t i : function.block_inits) {
    const SlotInit& init = function.inits[i];
    const std::uint64_t value =
        special_value(static_cast<Special>(init.value), launch, block, 0, 0);
    for (WarpState& state : block.warps)
      fill_uniform(state.frames + init.slot, init.slot_bytes, value);
  }
}

void fill_parameter_slots(WarpState& state, const FunctionCode& function,
                          const LaunchState& launch) {
  for (const SlotInit& init : function.inits)
    if (init.kind == SlotInit::Kind::parameter)
      fill_parameter(state.frames + init.slot, init, launch);
}

}  // namespace klab::sim
