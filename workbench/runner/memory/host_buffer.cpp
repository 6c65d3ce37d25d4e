// Aligned memory of the heap; large ones are mapped, in huge pages where there are any.
#include "runner/memory/host_buffer.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "runner/memory/huge_pages.hpp"
#include "runner/memory/spare_memory.hpp"

namespace klab::runner {
namespace {

constexpr std::align_val_t alignment{host_buffer_alignment};
constexpr std::size_t least_mapped = huge_page_bytes / 2;

struct MappedBuffer {
  std::byte* memory;
  std::size_t bytes;
};

Spares<MappedBuffer, 64>& spare_buffers() {
  static Spares<MappedBuffer, 64> buffers;
  return buffers;
}

}  // namespace

void FreeHost::operator()(std::byte* memory) const noexcept {
  if (mapped == 0)
    ::operator delete(memory, alignment);
  else if (!spare_buffers().put({memory, mapped}, mapped))
    ::munmap(memory, mapped);
}

HostBuffer make_host_buffer(std::size_t bytes) {
  if (bytes < least_mapped)
    return HostBuffer(
        static_cast<std::byte*>(::operator new(std::max<std::size_t>(bytes, 1), alignment)));
  const std::size_t wanted = in_huge_pages(bytes);
  const auto fits = [&](const MappedBuffer& one) {
    return one.bytes >= wanted && one.bytes <= 2 * wanted;
  };
  if (const auto spare = spare_buffers().take(fits)) return {spare->memory, FreeHost{spare->bytes}};
  std::byte* const memory = map_huge_pages(wanted);
  if (memory == nullptr) throw std::bad_alloc();
  return {memory, FreeHost{wanted}};
}

}  // namespace klab::runner
