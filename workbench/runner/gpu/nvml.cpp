// The few NVML functions used, by their C signatures (NVML API Reference Manual); the toolkit's
// header is not required.
#include "runner/gpu/nvml.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>

namespace klab::runner {
namespace {

constexpr int nvml_success = 0;
constexpr int nvml_clock_sm = 1;
constexpr int nvml_clock_memory = 2;
constexpr int nvml_temperature_gpu = 0;
/// A clock value stays fresh for at least this long.
constexpr std::chrono::milliseconds least_interval{2};

struct Reason {
  unsigned long long bit;
  const char* name;
};
// nvmlClocksEventReason*; 0x1 (idle) and 0x2 (application clocks) are no throttling.
constexpr std::array reasons = {
    Reason{0x04, "power cap"},
    Reason{0x08, "hardware slowdown"},
    Reason{0x10, "sync boost"},
    Reason{0x20, "thermal slowdown"},
    Reason{0x40, "hardware thermal slowdown"},
    Reason{0x80, "power brake"},
    Reason{0x100, "display clock"},
};

}  // namespace

struct Nvml::Functions {
  /// nvmlUtilization_t
  struct Utilization {
    unsigned gpu;
    unsigned memory;
  };
  /// nvmlMemory_t
  struct MemoryInfo {
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
  };

  int (*init)();
  int (*shutdown)();
  int (*device_by_pci)(const char*, void**);
  int (*clock)(void*, int, unsigned*);
  int (*clock_reasons)(void*, unsigned long long*);
  int (*driver_version)(char*, unsigned);
  // What only the live view asks for; a driver without one of them lacks just that value.
  int (*most_clock)(void*, int, unsigned*);
  int (*power)(void*, unsigned*);
  int (*power_limit)(void*, unsigned*);
  int (*temperature)(void*, int, unsigned*);
  int (*memory)(void*, MemoryInfo*);
  int (*utilization)(void*, Utilization*);
};

Nvml::Nvml() : library_(::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
  if (!library_) return;
  static Functions functions;
  const auto load = [&](auto& function, const char* name) {
    function =
        reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library_, name));
    return function != nullptr;
  };
  // The last name is the older one of the same function, which drivers keep.
  const bool complete = load(functions.init, "nvmlInit_v2") &&
                        load(functions.shutdown, "nvmlShutdown") &&
                        load(functions.device_by_pci, "nvmlDeviceGetHandleByPciBusId_v2") &&
                        load(functions.clock, "nvmlDeviceGetClockInfo") &&
                        load(functions.driver_version, "nvmlSystemGetDriverVersion") &&
                        load(functions.clock_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
  if (!complete || functions.init() != nvml_success) return;
  load(functions.most_clock, "nvmlDeviceGetMaxClockInfo");
  load(functions.power, "nvmlDeviceGetPowerUsage");
  load(functions.power_limit, "nvmlDeviceGetEnforcedPowerLimit");
  load(functions.temperature, "nvmlDeviceGetTemperature");
  load(functions.memory, "nvmlDeviceGetMemoryInfo");
  load(functions.utilization, "nvmlDeviceGetUtilizationRates");
  functions_ = &functions;
  int device = 0;
  char bus_id[32] = {};
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetPCIBusId(bus_id, sizeof(bus_id), device) != cudaSuccess ||
      functions_->device_by_pci(bus_id, &device_) != nvml_success)
    device_ = nullptr;
}

Nvml::~Nvml() {
  if (functions_) functions_->shutdown();
  if (library_) ::dlclose(library_);
}

std::optional<double> Nvml::sm_clock_mhz() const {
  unsigned mhz = 0;
  if (!device_ || functions_->clock(device_, nvml_clock_sm, &mhz) != nvml_success)
    return std::nullopt;
  return mhz;
}

unsigned long long Nvml::throttle_reasons() const {
  unsigned long long mask = 0;
  if (!device_ || functions_->clock_reasons(device_, &mask) != nvml_success) return 0;
  unsigned long long known = 0;
  for (const Reason& reason : reasons) known |= reason.bit;
  return mask & known;
}

std::optional<std::string> Nvml::driver_version() const {
  char version[96] = {};
  if (!functions_ || functions_->driver_version(version, sizeof(version)) != nvml_success)
    return std::nullopt;
  return version;
}

record::DeviceSample Nvml::sample() const {
  record::DeviceSample sample;
  if (!device_) return sample;
  const Functions& ask = *functions_;
  const auto number = [](double scale, auto* function, auto... arguments) -> std::optional<double> {
    unsigned value = 0;
    if (!function || function(arguments..., &value) != nvml_success) return std::nullopt;
    return value * scale;
  };
  sample.sm_clock_mhz = sm_clock_mhz();
  sample.sm_clock_most_mhz = number(1, ask.most_clock, device_, nvml_clock_sm);
  sample.memory_clock_mhz = number(1, ask.clock, device_, nvml_clock_memory);
  sample.power_w = number(1e-3, ask.power, device_);
  sample.power_limit_w = number(1e-3, ask.power_limit, device_);
  sample.temperature_c = number(1, ask.temperature, device_, nvml_temperature_gpu);
  if (Functions::MemoryInfo memory{}; ask.memory && ask.memory(device_, &memory) == nvml_success) {
    sample.memory_used_bytes = static_cast<double>(memory.used);
    sample.memory_total_bytes = static_cast<double>(memory.total);
  }
  if (Functions::Utilization busy{};
      ask.utilization && ask.utilization(device_, &busy) == nvml_success)
    sample.busy_pct = busy.gpu;
  sample.throttle_reasons = name_throttle_reasons(throttle_reasons());
  return sample;
}

std::vector<std::string> name_throttle_reasons(unsigned long long mask) {
  std::vector<std::string> names;
  for (const Reason& reason : reasons)
    if (mask & reason.bit) names.emplace_back(reason.name);
  return names;
}

std::optional<double> ClockWatch::look() {
  const Clock::time_point start = Clock::now();
  if (start < next_) return clock_mhz_;
  clock_mhz_ = nvml_.sm_clock_mhz();
  reasons_ |= nvml_.throttle_reasons();
  const Clock::time_point end = Clock::now();
  next_ = end + std::max<Clock::duration>(least_interval, 20 * (end - start));
  return clock_mhz_;
}

}  // namespace klab::runner
