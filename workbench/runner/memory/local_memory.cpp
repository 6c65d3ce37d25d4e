// Spacers, and a stack limit that is raised and lowered again.
#include "runner/memory/local_memory.hpp"

#include <cuda_runtime_api.h>

#include <utility>

#include "runner/device/second_device.hpp"
#include "runner/workload/random.cuh"

namespace klab::runner {
namespace {

/// Pages of a spacer at most. All stay until the end: what drivers get back they wipe, and that
/// takes bandwidth from what is timed.
constexpr std::uint64_t most_pages = 32;
/// Of free memory all spacers together take at most one part in so many.
constexpr std::size_t share_of_free = 8;

}  // namespace

/// There is as much for each thread as the stack limit says, which the driver raises itself for
/// kernels that need more.
void LocalMemory::move(std::uint64_t seed) {
  constexpr std::uint64_t step = 16, most_steps = 64;
  leave_room(hash(seed, 1));
  std::size_t limit = 0;
  if (cudaDeviceGetLimit(&limit, cudaLimitStackSize) == cudaSuccess &&
      cudaDeviceSetLimit(cudaLimitStackSize, limit + step * (1 + hash(seed, 2) % most_steps)) ==
          cudaSuccess)
    cudaDeviceSetLimit(cudaLimitStackSize, limit);
  cudaGetLastError();
}

void LocalMemory::leave_room(std::uint64_t seed) {
  const int device = current_device();
  std::size_t free = 0, total = 0;
  if (!can_map_pages(device) || cudaMemGetInfo(&free, &total) != cudaSuccess) {
    cudaGetLastError();
    return;
  }
  const std::size_t bytes = page_bytes(device) * (1 + seed % most_pages);
  if ((spacers_.size() + 1) * page_bytes(device) * most_pages > free / share_of_free) return;
  if (DevicePages spacer = take_pages(device, bytes)) spacers_.push_back(std::move(spacer));
}

}  // namespace klab::runner
