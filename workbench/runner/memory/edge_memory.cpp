// Pages at an end of reserved addresses, and mmap().
#include "runner/memory/edge_memory.hpp"

#include <cuda_runtime_api.h>
#include <sys/mman.h>
#include <unistd.h>

#include <new>
#include <utility>

#include "runner/device/cuda_check.hpp"
#include "runner/device/second_device.hpp"
#include "runner/memory/device_pages.hpp"
#include "runner/memory/spare_memory.hpp"

namespace klab::runner {
namespace {

std::size_t up_to(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

struct Mapping {
  FreeDeviceEdge owner;
  std::uintptr_t begin;
};

/// Mappings that were given back. A check makes some hundred, most of them for sizes at which to
/// map and to unmap takes longer than the launches do.
Spares<Mapping, 32>& spare() {
  static Spares<Mapping, 32> mappings;
  return mappings;
}

std::uintptr_t begin_of(const std::byte* memory, const FreeDeviceEdge& owner) {
  return reinterpret_cast<std::uintptr_t>(memory) - owner.in_front;
}

/// Pages stay as long as they are mapped.
bool lie_on(DeviceEdge& memory, const DevicePages& pages) {
  FreeDeviceEdge& owner = memory.get_deleter();
  owner.has_pages = map_pages(begin_of(memory.get(), owner), owner.mapped, pages, owner.device);
  return owner.has_pages;
}

/// Errors: RunnerError, out_of_memory.
void take_own_pages(DeviceEdge& memory) {
  const FreeDeviceEdge& owner = memory.get_deleter();
  const DevicePages pages = take_pages(owner.device, owner.mapped);
  if (!pages || !lie_on(memory, pages))
    check_allocation(cudaErrorMemoryAllocation, owner.mapped, "device");
}

void let_go_of_pages(DeviceEdge& memory) {
  FreeDeviceEdge& owner = memory.get_deleter();
  if (!std::exchange(owner.has_pages, false)) return;
  check_cuda(cudaDeviceSynchronize());
  unmap_pages(begin_of(memory.get(), owner), owner.mapped);
}

}  // namespace

void FreeDeviceEdge::operator()(std::byte* memory) const noexcept {
  if (is_lent) return;
  if (reserved == 0) {
    cudaFree(memory);
    return;
  }
  cudaDeviceSynchronize();  // as cudaFree does; what is unmapped under a kernel is a fault
  const auto begin = begin_of(memory, *this);
  if (has_pages && !are_shared && spare().put({*this, begin}, mapped)) return;
  unmap_pages(begin, mapped);
  free_addresses(begin, reserved);
}

bool has_edge(const DeviceEdge& memory) {
  return memory != nullptr && memory.get_deleter().reserved != 0;
}

DeviceEdge make_device_edge(std::size_t bytes) {
  const int device = current_device();
  if (!can_map_pages(device)) return {};
  const std::size_t page = page_bytes(device);
  FreeDeviceEdge owner;
  owner.mapped = up_to(bytes, page);
  owner.in_front = owner.mapped - bytes;
  owner.device = device;
  if (const auto used = spare().take([&](const Mapping& one) {
        return one.owner.device == device && one.owner.mapped == owner.mapped;
      })) {
    owner.reserved = used->owner.reserved;
    owner.has_pages = true;
    auto* const memory = reinterpret_cast<std::byte*>(used->begin);
    check_cuda(cudaMemset(memory, 0xFF, owner.mapped));
    check_cuda(cudaDeviceSynchronize());
    return {memory + owner.in_front, owner};
  }
  // Of what is reserved the last page stays empty: nobody else's memory can lie there.
  owner.reserved = owner.mapped + page;
  const std::uintptr_t begin = reserve_addresses(owner.reserved);
  DeviceEdge memory(reinterpret_cast<std::byte*>(begin + owner.in_front), owner);
  take_own_pages(memory);
  return memory;
}

Descriptor share_pages(DeviceEdge& memory) {
  FreeDeviceEdge& owner = memory.get_deleter();
  let_go_of_pages(memory);
  DevicePages pages = take_pages(owner.device, owner.mapped, true);
  Descriptor shared = pages ? export_pages(pages) : Descriptor();
  owner.are_shared = shared.get() >= 0 && lie_on(memory, pages);
  if (owner.are_shared) return shared;
  pages = {};  // or else there has to be room for both
  take_own_pages(memory);
  return {};
}

void lie_on_shared(DeviceEdge& memory, const Descriptor& shared) {
  const DevicePages pages = import_pages(shared);
  if (!pages) return;
  FreeDeviceEdge& owner = memory.get_deleter();
  let_go_of_pages(memory);
  owner.are_shared = lie_on(memory, pages);
  if (!owner.are_shared) take_own_pages(memory);
}

void FreeHostEdge::operator()(std::byte* memory) const noexcept {
  ::munmap(memory - in_front, mapped);
}

HostEdge make_host_edge(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  FreeHostEdge owner;
  const std::size_t used = up_to(bytes, page);
  owner.mapped = used + page;
  owner.in_front = used - bytes;
  void* const begin =
      ::mmap(nullptr, owner.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (begin == MAP_FAILED) throw std::bad_alloc();
  HostEdge memory(static_cast<std::byte*>(begin) + owner.in_front, owner);
  if (::mprotect(static_cast<std::byte*>(begin) + used, page, PROT_NONE) != 0)
    throw std::bad_alloc();
  return memory;
}

}  // namespace klab::runner
