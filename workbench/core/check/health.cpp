// Looking at the driver and what it permits.
#include "core/check/health.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "core/base/files.hpp"
#include "core/measure/format.hpp"
#include "core/process/room.hpp"

namespace klab {
namespace {

constexpr std::pair<std::string_view, std::string_view> throttle_sentences[] = {
    {"power cap",
     "The GPU draws all the power it may and lowers its clock to stay there: usual under heavy "
     "load. Compare kernels only within one run."},
    {"hardware slowdown",
     "The board slows the GPU down, for heat or power supply. Look at its cooling and cables."},
    {"sync boost", "Another GPU of the same group holds the clock down."},
    {"thermal slowdown",
     "The driver lowers the clock because the GPU is hot. Let it cool, or look at the airflow."},
    {"hardware thermal slowdown",
     "The board lowers the clock because the GPU is too hot. Let it cool, and look at the "
     "airflow."},
    {"power brake", "The system's power supply asks the GPU to draw less."},
    {"display clock", "A display setting holds the clock down."},
};

}  // namespace

HealthCheck healthy(std::string subject, std::string what) {
  return {std::move(subject), true, false, std::move(what), {}};
}

HealthCheck unhealthy(std::string subject, const Error& error, bool needed) {
  return {std::move(subject), false, needed, error.what, error.remedy};
}

HealthCheck driver_health() {
  const auto version = read_file("/proc/driver/nvidia/version", 1 << 16);
  if (version) {
    const std::size_t end = version->find('\n');
    return healthy("driver", version->substr(0, std::min<std::size_t>(end, 80)));
  }
  // In a container or under WSL there is a driver without /proc/driver/nvidia.
  if (void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {
    ::dlclose(library);
    return healthy("driver", "libcuda.so.1 can be loaded.");
  }
  return unhealthy("driver",
                   make_error(ErrorCode::no_device, "No NVIDIA driver is loaded.",
                              "Install an NVIDIA driver of version 580 or newer. Without one, the "
                              "simulator checks what can be counted."));
}

HealthCheck device_health(const Result<DeviceFacts>& facts) {
  if (!facts) return unhealthy("GPU", facts.error());
  return healthy(
      "GPU", facts->name + ", compute capability " + format_capability(facts->compute_capability));
}

HealthCheck counters_health(const Result<DeviceFacts>& facts) {
  if (!facts)
    return unhealthy("counters",
                     make_error(ErrorCode::no_device, "Without a GPU there are no counters.",
                                "The simulator counts what addresses decide."));
  const auto params = read_file("/proc/driver/nvidia/params", 1 << 16);
  if (!params)
    return healthy("counters", "The driver does not say whether they are permitted; a check will.");
  const bool restricted = params->find("RmProfilingAdminOnly: 1") != std::string::npos;
  if (restricted && ::geteuid() != 0)
    return unhealthy("counters", make_error(ErrorCode::profiler_denied,
                                            "The driver permits hardware counters to root only."));
  return healthy("counters",
                 restricted ? "Permitted, because you are root." : "Permitted to all users.");
}

HealthCheck room_health(bool open_room) {
  const auto open = [](const char* what, const char* remedy) {
    return unhealthy("room", make_error(ErrorCode::unsupported, what, remedy));
  };
  if (open_room)
    return open("KLAB_ROOM is open: kernel files run with all your rights.",
                "Leave the variable out, unless a tool has to look into the runner.");
  const RoomGuards guards = offered_guards();
  if (!guards.landlock)
    return open("This kernel has no Landlock: kernel files can read and change your files.",
                "Check only what you trust here, or use Linux 5.13 or newer with `landlock` in its "
                "`lsm=` list; a container needs a runtime that lets Landlock's calls through.");
  if (!guards.system_calls)
    return open(
        "This kernel refuses no system calls: kernel files can start programs and reach "
        "the network.",
        "Check only what you trust here, or use a kernel with seccomp filters.");
  return healthy("room",
                 "Kernel files are shut in: no writing, no network, no other "
                 "processes (Landlock " +
                     std::to_string(*guards.landlock) + ", seccomp).");
}

std::string throttle_sentence(const std::string& reason) {
  for (const auto& [name, sentence] : throttle_sentences)
    if (name == reason) return std::string(sentence);
  return "The driver names this reason for a lower clock: " + reason + ".";
}

}  // namespace klab
