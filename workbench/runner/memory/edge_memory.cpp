// CUDA's virtual memory management, through the driver's functions, and mmap().
#include "runner/memory/edge_memory.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <vector>

#include "runner/device/cuda_check.hpp"
#include "runner/device/runner_error.hpp"
#include "runner/device/second_device.hpp"
#include "runner/memory/spare_memory.hpp"

namespace klab::runner {
namespace {

std::size_t up_to(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

/// Functions of the driver, which the runner does not link: asked of the runtime by name.
struct Driver {
  decltype(&cuMemGetAllocationGranularity) granularity = nullptr;
  decltype(&cuMemAddressReserve) reserve = nullptr;
  decltype(&cuMemAddressFree) free = nullptr;
  decltype(&cuMemCreate) create = nullptr;
  decltype(&cuMemRelease) release = nullptr;
  decltype(&cuMemMap) map = nullptr;
  decltype(&cuMemUnmap) unmap = nullptr;
  decltype(&cuMemSetAccess) set_access = nullptr;

  Driver() {
    constexpr unsigned since = 10020;  // CUDA 10.2 brought them all
    complete = find("cuMemGetAllocationGranularity", granularity, since) &&
               find("cuMemAddressReserve", reserve, since) &&
               find("cuMemAddressFree", free, since) && find("cuMemCreate", create, since) &&
               find("cuMemRelease", release, since) && find("cuMemMap", map, since) &&
               find("cuMemUnmap", unmap, since) && find("cuMemSetAccess", set_access, since);
  }
  template <class Function>
  static bool find(const char* name, Function& function, unsigned since) {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
    if (cudaGetDriverEntryPointByVersion(name, &found, since, cudaEnableDefault, &result) !=
            cudaSuccess ||
        result != cudaDriverEntryPointSuccess) {
      cudaGetLastError();
      return false;
    }
    function = reinterpret_cast<Function>(found);
    return true;
  }
  bool complete = false;
};

const Driver& driver() {
  static const Driver functions;
  return functions;
}

bool can_map(int device) {
  int supported = 0;
  check_cuda(cudaDeviceGetAttribute(
      &supported,
      static_cast<cudaDeviceAttr>(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED),
      device));
  return supported != 0 && driver().complete;
}

/// The device itself, and others whose kernels may reach its memory as they reach cudaMalloc's.
std::vector<CUmemAccessDesc> accesses(int owner) {
  std::vector<CUmemAccessDesc> list;
  int count = 0;
  check_cuda(cudaGetDeviceCount(&count));
  for (int device = 0; device < count; ++device) {
    int reaches = device == owner;
    if (!reaches) check_cuda(cudaDeviceCanAccessPeer(&reaches, device, owner));
    if (reaches)
      list.push_back({{CU_MEM_LOCATION_TYPE_DEVICE, {device}}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
  }
  return list;
}

struct Mapping {
  FreeDeviceEdge owner;
  CUdeviceptr begin;
};

/// Mappings that were given back. A check makes some hundred, most of them for sizes at which to
/// map and to unmap takes longer than the launches do.
Spares<Mapping, 32>& spare() {
  static Spares<Mapping, 32> mappings;
  return mappings;
}

void require(CUresult result, std::size_t bytes) {
  if (result == CUDA_SUCCESS) return;
  check_allocation(cudaErrorMemoryAllocation, bytes, "device");
}

}  // namespace

void FreeDeviceEdge::operator()(std::byte* memory) const noexcept {
  if (reserved == 0) {
    cudaFree(memory);
    return;
  }
  cudaDeviceSynchronize();  // as cudaFree does; what is unmapped under a kernel is a fault
  const auto begin = reinterpret_cast<CUdeviceptr>(memory) - in_front;
  if (spare().put({*this, begin}, mapped)) return;
  driver().unmap(begin, mapped);
  driver().release(handle);
  driver().free(begin, reserved);
}

bool has_edge(const DeviceEdge& memory) {
  return memory != nullptr && memory.get_deleter().reserved != 0;
}

DeviceEdge make_device_edge(std::size_t bytes) {
  const int device = current_device();
  if (!can_map(device)) return {};
  CUmemAllocationProp kind{};
  kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  kind.location = {CU_MEM_LOCATION_TYPE_DEVICE, {device}};
  std::size_t granule = 0;
  require(driver().granularity(&granule, &kind, CU_MEM_ALLOC_GRANULARITY_MINIMUM), bytes);
  FreeDeviceEdge owner;
  owner.mapped = up_to(bytes, granule);
  owner.in_front = owner.mapped - bytes;
  owner.device = device;
  if (const auto used = spare().take([&](const Mapping& one) {
        return one.owner.device == device && one.owner.mapped == owner.mapped;
      })) {
    owner.reserved = used->owner.reserved;
    owner.handle = used->owner.handle;
    auto* const memory = reinterpret_cast<std::byte*>(used->begin);
    check_cuda(cudaMemset(memory, 0xFF, owner.mapped));
    check_cuda(cudaDeviceSynchronize());
    return {memory + owner.in_front, owner};
  }
  CUdeviceptr begin = 0;
  // Of what is reserved the last granule stays empty: nobody else's memory can lie there.
  const std::size_t reserved = owner.mapped + granule;
  require(driver().reserve(&begin, reserved, 0, 0, 0), bytes);
  if (const auto made = driver().create(&owner.handle, owner.mapped, &kind, 0);
      made != CUDA_SUCCESS) {
    driver().free(begin, reserved);
    require(made, bytes);
  }
  const auto list = accesses(device);
  auto done = driver().map(begin, owner.mapped, 0, owner.handle, 0);
  if (done == CUDA_SUCCESS)
    done = driver().set_access(begin, owner.mapped, list.data(), list.size());
  owner.reserved = reserved;
  DeviceEdge memory(reinterpret_cast<std::byte*>(begin + owner.in_front), owner);
  require(done, bytes);
  return memory;
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
