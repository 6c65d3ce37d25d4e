// Memory that ends where nothing is mapped: an access beyond it is a fault, of the hardware's own.
#pragma once

#include <cstddef>
#include <memory>

#include "core/base/files.hpp"

namespace klab::runner {

/// What the beginning of a buffer is aligned to, as the contracts promise. It bounds how far behind
/// a buffer's last byte the edge may lie: nowhere at a multiple of 64 floats.
inline constexpr std::size_t edge_alignment = 256;

struct FreeDeviceEdge {
  std::size_t reserved = 0;  ///< bytes of address space; 0: ordinary memory
  std::size_t mapped = 0;
  std::size_t in_front = 0;  ///< mapped bytes before the memory's beginning
  int device = 0;
  bool has_pages = false;   ///< whether anything is mapped there now
  bool are_shared = false;  ///< with another process
  bool is_lent = false;     ///< by its owner, who frees it later
  void operator()(std::byte* memory) const noexcept;
};
using DeviceEdge = std::unique_ptr<std::byte, FreeDeviceEdge>;

struct FreeHostEdge {
  std::size_t mapped = 0;  ///< with the page that may not be touched
  std::size_t in_front = 0;
  void operator()(std::byte* memory) const noexcept;
};
using HostEdge = std::unique_ptr<std::byte, FreeHostEdge>;

/// `bytes` of device memory, a multiple of edge_alignment, behind whose last one no memory is
/// mapped, for this device and those that can reach it; null where the device cannot map memory by
/// the piece. It holds no number (0xFF) or zeros, whoever had it before. Errors: RunnerError.
DeviceEdge make_device_edge(std::size_t bytes);
/// Whether it was made so; ordinary memory of CUDA's may be owned the same way.
bool has_edge(const DeviceEdge& memory);

/// Lays memory that has an edge on pages which another process can lie on as well, at the same
/// addresses. What it held is gone. None if the driver cannot: then its pages are its own. Errors:
/// RunnerError, out_of_memory.
Descriptor share_pages(DeviceEdge& memory);
/// Lays it on pages that another process shares, as many as its own. Where that fails its pages are
/// its own. Errors: the same.
void lie_on_shared(DeviceEdge& memory, const Descriptor& shared);

/// The same in ordinary host memory.
HostEdge make_host_edge(std::size_t bytes);

}  // namespace klab::runner
