// A spacer of random size, and a stack limit that is raised and lowered again.
#include "runner/memory/placement.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <utility>

#include "runner/device/second_device.hpp"
#include "runner/memory/device_pages.hpp"
#include "runner/workload/random.cuh"

namespace klab::runner {
namespace {

/// A spacer stays until the next draw, because drivers wipe what they get back, and that takes
/// bandwidth. This much is wiped long before the next launch.
constexpr std::size_t most_spacer_bytes = std::size_t{1} << 30;
/// Of free memory, so that what is taken behind it still fits.
constexpr std::size_t share_of_free = 4;

/// The driver keeps local memory for all threads that can be resident, as much for each as the
/// stack limit says, which it raises itself for kernels that need more.
void move_local_memory(std::uint64_t seed) {
  constexpr std::size_t step = 16, most_steps = 16;
  std::size_t limit = 0;
  if (cudaDeviceGetLimit(&limit, cudaLimitStackSize) == cudaSuccess &&
      cudaDeviceSetLimit(cudaLimitStackSize, limit + step * (1 + seed % most_steps)) == cudaSuccess)
    cudaDeviceSetLimit(cudaLimitStackSize, limit);
  cudaGetLastError();
}

}  // namespace

Placement::~Placement() {
  if (spacer_ != 0) release_pages(spacer_);
}

void Placement::draw(std::uint64_t seed) {
  if (spacer_ != 0) release_pages(std::exchange(spacer_, 0));
  leave_room(hash(seed, 1));
  move_local_memory(hash(seed, 2));
}

void Placement::leave_room(std::uint64_t seed) {
  const int device = current_device();
  std::size_t free = 0, total = 0;
  if (!can_map_pages(device) || cudaMemGetInfo(&free, &total) != cudaSuccess) {
    cudaGetLastError();
    return;
  }
  const std::size_t page = page_bytes(device);
  const std::size_t most = std::min(most_spacer_bytes, free / share_of_free) / page;
  if (most > 0) spacer_ = take_pages(device, page * (1 + seed % most));
}

}  // namespace klab::runner
