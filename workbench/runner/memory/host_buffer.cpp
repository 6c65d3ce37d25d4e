// Aligned memory of the heap.
#include "runner/memory/host_buffer.hpp"

#include <algorithm>
#include <new>

namespace klab::runner {
namespace {

constexpr std::align_val_t alignment{host_buffer_alignment};

}  // namespace

void FreeHost::operator()(std::byte* memory) const noexcept {
  ::operator delete(memory, alignment);
}

HostBuffer make_host_buffer(std::size_t bytes) {
  return HostBuffer(
      static_cast<std::byte*>(::operator new(std::max<std::size_t>(bytes, 1), alignment)));
}

}  // namespace klab::runner
