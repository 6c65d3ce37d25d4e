// FindingKind: what a checker found. The simulator names its findings by the same table.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/names.hpp"

namespace klab {

enum class FindingKind : std::uint8_t {
  unknown,  ///< of another version
  out_of_bounds,
  misaligned,
  use_after_free,
  uninitialized_read,    ///< of global memory
  uninitialized_shared,  ///< a read of shared memory that the block has not written
  unfinished_copy,  ///< shared memory touched while an asynchronous copy may be on its way there
  unfenced_copy,    ///< a bulk copy of what threads wrote, with no proxy fence in between
  shared_race,      ///< between threads of one block, most often on shared memory
  barrier_divergence,
  bad_shuffle_mask,
  unset_variable,  ///< a register that is read first: wrong only if the result is
  absent_lane,     ///< a shuffle's value from a lane that has exited: wrong only if the result is
  unsure_lanes,    ///< __activemask() where lanes may be apart: wrong only if the result is
  assertion,
  host_access,          ///< host code touched device memory (found by the runtime)
  unsynchronized_read,  ///< host code read data that pending work still writes (by the runtime)
  stale_read,     ///< by way of a cache that is not kept coherent with the kernel's own writes
  block_race,     ///< on global memory, between blocks that nothing orders
  stream_race,    ///< two streams, in no order (found by the runtime)
  warp_race,      ///< a shared_race between lanes of one warp: a barrier of the warp would do
  memory_leak,    ///< launches that take memory each time and never give it back (by the runner)
  object_leak,    ///< the same of streams, events, graphs and pools (by the runner)
  not_in_a_row,   ///< launches that are right alone, and not when the next is asked for before the
                  ///< first has run (by the runner)
  warp_order,     ///< launches that are right only where the warps of a block begin in order (by
                  ///< the runner)
  grid_deadlock,  ///< blocks that wait for others, which can't begin before these have ended
  out_of_reach,   ///< elements of a large problem to which nothing comes (by the runner)
  call_in_host_function  ///< of CUDA, from what a stream calls on the host (found by the runtime)
};

inline constexpr std::pair<FindingKind, std::string_view> finding_kind_names[] = {
    {FindingKind::unknown, "unknown"},
    {FindingKind::out_of_bounds, "out_of_bounds"},
    {FindingKind::misaligned, "misaligned"},
    {FindingKind::use_after_free, "use_after_free"},
    {FindingKind::uninitialized_read, "uninitialized_read"},
    {FindingKind::uninitialized_shared, "uninitialized_shared"},
    {FindingKind::unfinished_copy, "unfinished_copy"},
    {FindingKind::unfenced_copy, "unfenced_copy"},
    {FindingKind::shared_race, "shared_race"},
    {FindingKind::barrier_divergence, "barrier_divergence"},
    {FindingKind::bad_shuffle_mask, "bad_shuffle_mask"},
    {FindingKind::unset_variable, "unset_variable"},
    {FindingKind::absent_lane, "absent_lane"},
    {FindingKind::unsure_lanes, "unsure_lanes"},
    {FindingKind::assertion, "assertion"},
    {FindingKind::host_access, "host_access"},
    {FindingKind::unsynchronized_read, "unsynchronized_read"},
    {FindingKind::stale_read, "stale_read"},
    {FindingKind::block_race, "block_race"},
    {FindingKind::stream_race, "stream_race"},
    {FindingKind::warp_race, "warp_race"},
    {FindingKind::memory_leak, "memory_leak"},
    {FindingKind::object_leak, "object_leak"},
    {FindingKind::not_in_a_row, "not_in_a_row"},
    {FindingKind::warp_order, "warp_order"},
    {FindingKind::grid_deadlock, "grid_deadlock"},
    {FindingKind::out_of_reach, "out_of_reach"},
    {FindingKind::call_in_host_function, "call_in_host_function"}};

constexpr std::string_view to_string(FindingKind kind) { return name_in(finding_kind_names, kind); }
constexpr FindingKind finding_kind_from(std::string_view name) {
  return value_in(finding_kind_names, name).value_or(FindingKind::unknown);
}

/// What does no harm where the result does not depend on it, and says why where it is wrong: shared
/// memory that the block has not written is filled otherwise in every launch, as few lanes as can
/// be are named as active, a lane that has left gives undefined values, and so does a variable that
/// nobody has set.
constexpr bool is_fine_if_right(FindingKind kind) {
  return kind == FindingKind::uninitialized_shared || kind == FindingKind::unset_variable ||
         kind == FindingKind::absent_lane || kind == FindingKind::unsure_lanes;
}

}  // namespace klab
