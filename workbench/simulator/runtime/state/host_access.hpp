// Host code that touches device memory, or memory of its own that pending work still needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "simulator/memory/device_memory.hpp"

namespace klab::sim {

/// Installs a handler for segmentation faults, before whatever handler is there now. To be called
/// again where the program may have installed its own since. A fault inside the device's addresses
/// becomes a finding and a sentence; then the process dies by the signal as it would have without
/// us.
void watch_host_access(DeviceMemory& memory);

/// What pending work will do with host memory.
enum class HostGuard : std::uint8_t {
  write_pending,  ///< the copy writes it: the host may neither read nor write
  read_pending,   ///< the copy reads it: the host may not write
  kernel_pending  ///< a kernel may use it: a touch is kept, and the kernel will tell
};

/// Closes the pages of a range of simulated pinned memory to the host. A touch of the range itself
/// is reported as a missing wait, and any touch opens the page again, so the program goes on.
/// A system call that is handed such a page fails with EFAULT instead.
void close_to_host(const void* address, std::size_t bytes, HostGuard guard);
void open_to_host(const void* address, std::size_t bytes);

/// Where host code went while a kernel was pending: of a row of pages the first place.
struct HostTouch {
  std::uint64_t address = 0;
  bool write = false;
  std::string where;  ///< in the program
};
std::vector<HostTouch> take_host_touches();

/// Whether the host touched what was closed to it since the last call of the other.
bool host_came_early();
void forget_early_host();

}  // namespace klab::sim
