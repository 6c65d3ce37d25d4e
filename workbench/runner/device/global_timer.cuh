// The device's clock, for kernels that must end after a time.
#pragma once

#include <cstdint>

namespace klab::runner {

/// PTX's %globaltimer; it may advance in steps of a microsecond.
inline __device__ std::uint64_t nanoseconds_now() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

}  // namespace klab::runner
