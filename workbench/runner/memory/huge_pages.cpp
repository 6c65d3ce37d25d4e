// Mapped with room for a page more, of which what is in front and behind goes back.
#include "runner/memory/huge_pages.hpp"

#include <sys/mman.h>

#include <cstdint>

namespace klab::runner {

std::byte* map_huge_pages(std::size_t bytes) {
  const std::size_t wanted = in_huge_pages(bytes);
  void* const all = ::mmap(nullptr, wanted + huge_page_bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<std::byte*>(all);
  const std::size_t in_front = -reinterpret_cast<std::uintptr_t>(all) % huge_page_bytes;
  std::byte* const memory = begin + in_front;
  if (in_front > 0) ::munmap(begin, in_front);
  ::munmap(memory + wanted, huge_page_bytes - in_front);
  ::madvise(memory, wanted, MADV_HUGEPAGE);
  return memory;
}

}  // namespace klab::runner
