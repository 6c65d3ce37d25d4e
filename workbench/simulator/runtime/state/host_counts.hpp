// What the host asked the device to do, counted; the same events that a CUPTI trace shows.
#pragma once

#include <cstdint>
#include <map>

namespace klab::sim {

struct HostCounts {
  std::uint64_t kernel_launches = 0;  ///< launch calls of the host; kernels of a graph not included
  std::uint64_t kernels_executed = 0;  ///< kernels that ran, those of graphs included
  std::uint64_t blocks_launched = 0;   ///< of those kernels
  std::uint64_t threads_launched = 0;  ///< of those kernels
  std::uint64_t warps_launched = 0;    ///< of those kernels, those that are not full as well
  std::map<std::uint64_t, std::uint64_t> kernels_by_blocks;  ///< those kernels, by their blocks
  std::uint64_t graph_launches = 0;
  /// Calls that wait, as those that free memory do, or that ask whether work is done.
  std::uint64_t host_synchronizations = 0;
  std::uint64_t synchronous_copies = 0;  ///< copies that made the host wait
  std::uint64_t host_to_device_copies = 0;
  std::uint64_t host_to_device_bytes = 0;
  std::uint64_t device_to_host_copies = 0;
  std::uint64_t device_to_host_bytes = 0;
  std::uint64_t device_to_device_copies = 0;
  std::uint64_t device_to_device_bytes = 0;
  std::uint64_t host_to_host_copies = 0;
  std::uint64_t host_to_host_bytes = 0;
  std::uint64_t pageable_copies = 0;          ///< between the device and ordinary host memory
  std::uint64_t largest_host_copy_bytes = 0;  ///< of one copy between host and device
  std::uint64_t memsets = 0;
  std::uint64_t memset_bytes = 0;
  std::uint64_t sectors_beside_kernels = 0;  ///< of copies within the device, and of fills
  /// Calls that allocate, or lock pages, and may make the host wait, pools among them.
  std::uint64_t allocation_calls = 0;
  std::uint64_t free_calls = 0;  ///< calls that free or unlock such memory, or what a pool holds
  std::uint64_t pool_allocation_calls = 0;  ///< calls that allocate or free in stream order
  /// Allocations of any kind, by kernels too, less what was freed.
  std::int64_t kept_allocations = 0;
};

}  // namespace klab::sim
