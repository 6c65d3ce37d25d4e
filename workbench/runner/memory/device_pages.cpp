// The driver's functions; the runner links the runtime alone.
#include "runner/memory/device_pages.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <vector>

#include "runner/device/cuda_check.hpp"
#include "runner/device/runner_error.hpp"

namespace klab::runner {
namespace {

/// Asked of the runtime by name.
struct Driver {
  decltype(&cuMemGetAllocationGranularity) granularity = nullptr;
  decltype(&cuMemAddressReserve) reserve = nullptr;
  decltype(&cuMemAddressFree) free = nullptr;
  decltype(&cuMemCreate) create = nullptr;
  decltype(&cuMemRelease) release = nullptr;
  decltype(&cuMemMap) map = nullptr;
  decltype(&cuMemUnmap) unmap = nullptr;
  decltype(&cuMemSetAccess) set_access = nullptr;
  decltype(&cuMemExportToShareableHandle) export_to = nullptr;
  decltype(&cuMemImportFromShareableHandle) import_from = nullptr;

  Driver() {
    constexpr unsigned since = 10020;  // CUDA 10.2 brought them all
    complete = find("cuMemGetAllocationGranularity", granularity, since) &&
               find("cuMemAddressReserve", reserve, since) &&
               find("cuMemAddressFree", free, since) && find("cuMemCreate", create, since) &&
               find("cuMemRelease", release, since) && find("cuMemMap", map, since) &&
               find("cuMemUnmap", unmap, since) && find("cuMemSetAccess", set_access, since) &&
               find("cuMemExportToShareableHandle", export_to, since) &&
               find("cuMemImportFromShareableHandle", import_from, since);
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

constexpr auto shareable = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

CUmemAllocationProp kind_of(int device) {
  CUmemAllocationProp kind{};
  kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  kind.location = {CU_MEM_LOCATION_TYPE_DEVICE, {device}};
  return kind;
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

}  // namespace

bool can_map_pages(int device) {
  int supported = 0;
  check_cuda(cudaDeviceGetAttribute(
      &supported,
      static_cast<cudaDeviceAttr>(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED),
      device));
  return supported != 0 && driver().complete;
}

std::size_t page_bytes(int device) {
  const CUmemAllocationProp kind = kind_of(device);
  std::size_t bytes = 0;
  if (driver().granularity(&bytes, &kind, CU_MEM_ALLOC_GRANULARITY_MINIMUM) != CUDA_SUCCESS)
    check_cuda(cudaErrorUnknown);
  return bytes;
}

std::uintptr_t reserve_addresses(std::size_t bytes) {
  CUdeviceptr begin = 0;
  if (driver().reserve(&begin, bytes, 0, 0, 0) != CUDA_SUCCESS)
    check_allocation(cudaErrorMemoryAllocation, bytes, "device");
  return begin;
}

void free_addresses(std::uintptr_t begin, std::size_t bytes) noexcept {
  driver().free(begin, bytes);
}

DevicePages::~DevicePages() {
  if (handle_ != 0) driver().release(handle_);
}

DevicePages take_pages(int device, std::size_t bytes, bool to_share) noexcept {
  CUmemAllocationProp kind = kind_of(device);
  if (to_share) kind.requestedHandleTypes = shareable;
  CUmemGenericAllocationHandle pages = 0;
  if (driver().create(&pages, bytes, &kind, 0) != CUDA_SUCCESS) return {};
  return DevicePages(pages);
}

Descriptor export_pages(const DevicePages& pages) noexcept {
  int descriptor = -1;
  if (driver().export_to(&descriptor, pages.handle(), shareable, 0) != CUDA_SUCCESS) return {};
  return Descriptor(descriptor);
}

DevicePages import_pages(const Descriptor& exported) noexcept {
  CUmemGenericAllocationHandle pages = 0;
  // The driver takes the descriptor itself in the place of a pointer to what is imported.
  void* const name = reinterpret_cast<void*>(static_cast<std::uintptr_t>(exported.get()));
  if (driver().import_from(&pages, name, shareable) != CUDA_SUCCESS) return {};
  return DevicePages(pages);
}

bool map_pages(std::uintptr_t begin, std::size_t bytes, const DevicePages& pages, int device) {
  if (driver().map(begin, bytes, 0, pages.handle(), 0) != CUDA_SUCCESS) return false;
  const auto list = accesses(device);
  if (driver().set_access(begin, bytes, list.data(), list.size()) == CUDA_SUCCESS) return true;
  driver().unmap(begin, bytes);
  return false;
}

void unmap_pages(std::uintptr_t begin, std::size_t bytes) noexcept { driver().unmap(begin, bytes); }

}  // namespace klab::runner
