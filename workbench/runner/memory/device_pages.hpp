// Physical memory of a device, by itself: CUDA's virtual memory management.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/base/files.hpp"

namespace klab::runner {

/// Whether the device maps memory by the piece. Errors: RunnerError.
bool can_map_pages(int device);
/// What addresses and bytes of a mapping are multiples of. Errors: RunnerError.
std::size_t page_bytes(int device);

/// Addresses at which nothing is mapped yet. Errors: RunnerError, out_of_memory.
std::uintptr_t reserve_addresses(std::size_t bytes);
void free_addresses(std::uintptr_t begin, std::size_t bytes) noexcept;

/// Holds physical memory of a device; what is mapped stays without it.
class DevicePages {
 public:
  DevicePages() = default;
  explicit DevicePages(unsigned long long handle) : handle_(handle) {}
  DevicePages(DevicePages&& other) noexcept : handle_(std::exchange(other.handle_, 0)) {}
  DevicePages& operator=(DevicePages&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~DevicePages();

  explicit operator bool() const { return handle_ != 0; }
  /// The driver's name for it.
  unsigned long long handle() const { return handle_; }

 private:
  unsigned long long handle_ = 0;
};

/// So much memory, wherever the driver finds it; none if there is none, or none that can be shared.
DevicePages take_pages(int device, std::size_t bytes, bool to_share = false) noexcept;
/// What another process imports them by, and holds them by; none if the driver cannot.
Descriptor export_pages(const DevicePages& pages) noexcept;
/// None if `exported` names none, or another device's.
DevicePages import_pages(const Descriptor& exported) noexcept;

/// Puts `pages` where `begin` says, for kernels of this device and of those that can reach its
/// memory as they reach cudaMalloc's. False if the driver cannot; then nothing is there. Errors:
/// RunnerError.
bool map_pages(std::uintptr_t begin, std::size_t bytes, const DevicePages& pages, int device);
/// No kernel may be at work there.
void unmap_pages(std::uintptr_t begin, std::size_t bytes) noexcept;

}  // namespace klab::runner
