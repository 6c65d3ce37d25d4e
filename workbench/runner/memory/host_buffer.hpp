// HostBuffer: memory of the host for copies of what a kernel file sees.
#pragma once

#include <cstddef>
#include <memory>

namespace klab::runner {

/// Where each of them begins, in bytes.
inline constexpr std::size_t host_buffer_alignment = 256;

struct FreeHost {
  std::size_t mapped = 0;  ///< in pages of its own; 0: of the heap
  void operator()(std::byte* memory) const noexcept;
};
using HostBuffer = std::unique_ptr<std::byte, FreeHost>;

/// Of so many bytes, of which nothing is set. Large ones are kept for whoever asks next, since a
/// system takes longer to bring pages into being than most of what is done with them; and kernel
/// files never get them. Error: std::bad_alloc.
HostBuffer make_host_buffer(std::size_t bytes);

}  // namespace klab::runner
