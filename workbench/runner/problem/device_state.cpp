// Settings are written only where they differ: setting a limit may wait for the device.
#include "runner/problem/device_state.hpp"

#include <array>
#include <cstddef>
#include <map>

#include "runner/device/cuda_check.hpp"

namespace klab::runner {
namespace {

constexpr std::array limits = {cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize,
                               cudaLimitMaxL2FetchGranularity, cudaLimitPersistingL2CacheSize};

struct Settings {
  cudaFuncCache cache = cudaFuncCachePreferNone;
  std::array<std::size_t, limits.size()> values{};
};

Settings present() {
  Settings settings;
  check_cuda(cudaDeviceGetCacheConfig(&settings.cache));
  for (std::size_t i = 0; i < limits.size(); ++i)
    if (cudaDeviceGetLimit(&settings.values[i], limits[i]) != cudaSuccess) cudaGetLastError();
  return settings;
}

}  // namespace

void restore_device_state(int device, cudaStream_t stream) {
  static std::map<int, Settings> all_at_first;
  check_cuda(cudaSetDevice(device));
  const Settings now = present();
  const Settings& at_first = all_at_first.try_emplace(device, now).first->second;
  if (now.cache != at_first.cache) check_cuda(cudaDeviceSetCacheConfig(at_first.cache));
  for (std::size_t i = 0; i < limits.size(); ++i) {
    // The driver raises it for kernels that need more local memory, and waits for the device to do
    // so: lowered, it would make every launch of theirs wait.
    const bool is_raised_stack =
        limits[i] == cudaLimitStackSize && now.values[i] > at_first.values[i];
    // A limit that can no longer be set is what the launches before had, too.
    if (!is_raised_stack && now.values[i] != at_first.values[i] &&
        cudaDeviceSetLimit(limits[i], at_first.values[i]) != cudaSuccess)
      cudaGetLastError();
  }
  cudaStreamAttrValue none{};
  none.accessPolicyWindow.hitProp = cudaAccessPropertyNormal;
  none.accessPolicyWindow.missProp = cudaAccessPropertyNormal;
  if (cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &none) != cudaSuccess)
    cudaGetLastError();  // of a device without such windows
  if (cudaCtxResetPersistingL2Cache() != cudaSuccess) cudaGetLastError();
}

}  // namespace klab::runner
