// Memory of the host in pages of 2 MiB, where the system has any.
#pragma once

#include <cstddef>

namespace klab::runner {

inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

/// What a mapping of so many bytes takes.
inline std::size_t in_huge_pages(std::size_t bytes) {
  return (bytes + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
}

/// A mapping of in_huge_pages(bytes), which begins where such a page may; null where there is no
/// room. For munmap().
std::byte* map_huge_pages(std::size_t bytes);

}  // namespace klab::runner
