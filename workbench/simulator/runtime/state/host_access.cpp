// A segmentation fault handler that recognizes simulated memory.
#include "simulator/runtime/state/host_access.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <utility>

#include "simulator/runtime/state/runtime.hpp"

namespace klab::sim {
namespace {

constexpr std::uint64_t page_bytes = 4096;

DeviceMemory* watched = nullptr;
struct sigaction previous {};

// Read by the signal handler, so a fixed array of atomics. More guards at once than this are not
// set, which loses a diagnosis and nothing else.
struct Guard {
  std::atomic<std::uint64_t> begin = 0;
  std::atomic<std::uint64_t> end = 0;
  std::atomic<HostGuard> kind = HostGuard::write_pending;
  std::atomic<std::uint32_t> touches = 0;
};
std::array<Guard, 1024> guards;
std::vector<HostTouch> host_touches;
std::atomic_flag touching;  // one thread at a time is at them
std::atomic<bool> came_early = false;

/// For a few instructions; in a handler there is no other way to wait.
struct Touching {
  Touching() {
    while (touching.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~Touching() { touching.clear(std::memory_order_release); }
};

void set_pages(std::uint64_t begin, std::uint64_t end, int protection) {
  const std::uint64_t first = begin / page_bytes * page_bytes;
  const std::uint64_t last = (end + page_bytes - 1) / page_bytes * page_bytes;
  mprotect(reinterpret_cast<void*>(first), last - first, protection);
}

bool overlaps_page(const Guard& guard, std::uint64_t address) {
  const std::uint64_t page = address / page_bytes * page_bytes;
  return guard.begin < page + page_bytes && page < guard.end;
}

bool is_write(const void* context) {
#if defined(__x86_64__)
  // Bit 1 of the page fault's error code: the access was a write.
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
  (void)context;
  return false;
#endif
}

/// The host function that made the access: the innermost frame of the program's own code.
std::string culprit() {
  std::array<void*, 32> frames;
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  Dl_info own{};
  dladdr(reinterpret_cast<void*>(&watch_host_access), &own);
  for (int i = 1; i < count; ++i) {
    Dl_info info{};
    if (dladdr(frames[i], &info) == 0 || info.dli_fname == nullptr) continue;
    const std::string_view file = info.dli_fname;
    const std::string_view base = file.substr(file.rfind('/') + 1);
    const bool is_own = own.dli_fbase == info.dli_fbase && base.starts_with("libcudart");
    if (is_own || base.starts_with("libc.so") || base.starts_with("libasan")) continue;
    if (info.dli_sname != nullptr) return fmt::format("in function {} of {}", info.dli_sname, base);
    const auto offset = static_cast<char*>(frames[i]) - static_cast<char*>(info.dli_fbase);
    return fmt::format("at offset {:#x} of {}", offset, base);
  }
  return "in code without a name";
}

void report(FindingKind kind, std::uint64_t address, std::string message) {
  Finding finding;
  finding.kind = kind;
  finding.message = std::move(message);
  finding.address = address;
  finding.allocation = watched->describe(address);
  Runtime::instance().add(std::move(finding));
}

void report_device_access(std::uint64_t address, bool write) {
  const Allocation* allocation = watched->find(address);
  if (allocation != nullptr && allocation->freed) {
    report(FindingKind::use_after_free, address,
           fmt::format("Host code {} freed memory at {:#x} ({}), {}.", write ? "writes" : "reads",
                       address, watched->describe(address), culprit()));
    return;
  }
  report(FindingKind::host_access, address,
         fmt::format("Host code {} device memory at {:#x} ({}), {}. Only kernels and copies reach "
                     "that memory: copy it with cudaMemcpy, or allocate it with cudaMallocManaged.",
                     write ? "writes" : "reads", address, watched->describe(address), culprit()));
}

void report_missing_wait(std::uint64_t address, bool write, HostGuard guard) {
  report(FindingKind::unsynchronized_read, address,
         fmt::format("Host code {} pinned memory at {:#x}, {}, while a copy that will {} it is "
                     "still pending: no call has waited for it. Call cudaStreamSynchronize "
                     "before, or cudaEventSynchronize with an event that was recorded behind it.",
                     write ? "writes" : "reads", address, culprit(),
                     guard == HostGuard::write_pending ? "write" : "read"));
}

/// True when the page was closed by us: it is open again and the access may be repeated.
bool reopen(std::uint64_t address, bool write) {
  bool ours = false;
  std::optional<HostGuard> touched;
  std::uint64_t end = address + 1;
  for (Guard& guard : guards) {
    if (guard.end == 0 || !overlaps_page(guard, address)) continue;
    ours = true;
    if (address < guard.begin || address >= guard.end) continue;
    touched = guard.kind;
    // Each time twice as many pages, so that a large array costs a few faults.
    if (touched == HostGuard::kernel_pending)
      end = std::min<std::uint64_t>(guard.end,
                                    address + (page_bytes << std::min(guard.touches++, 30u)));
  }
  if (!ours) return false;
  set_pages(address, end, PROT_READ | PROT_WRITE);
  if (touched) came_early = true;
  if (touched == HostGuard::kernel_pending) {
    HostTouch touch{address, write, culprit()};
    const Touching alone;
    host_touches.push_back(std::move(touch));
  } else if (touched)
    report_missing_wait(address, write, *touched);
  return true;
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  if (watched != nullptr && watched->in_arena(address)) {
    const bool write = is_write(context);
    if (reopen(address, write)) return;
    report_device_access(address, write);
  } else if ((previous.sa_flags & SA_SIGINFO) != 0 && previous.sa_sigaction != nullptr) {
    previous.sa_sigaction(signal, info, context);
    return;
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
    return;
  }
  // The access is repeated and meets whatever was installed before us, by default death.
  sigaction(SIGSEGV, &previous, nullptr);
}

}  // namespace

void watch_host_access(DeviceMemory& memory) {
  if (watched == nullptr) {
    std::array<void*, 1> warm_up;  // backtrace loads its unwinder at the first call
    backtrace(warm_up.data(), 1);
  }
  watched = &memory;
  struct sigaction current {};
  sigaction(SIGSEGV, nullptr, &current);
  if ((current.sa_flags & SA_SIGINFO) != 0 && current.sa_sigaction == on_fault) return;
  previous = current;
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, nullptr);
}

void close_to_host(const void* address, std::size_t bytes, HostGuard kind) {
  if (watched == nullptr) return;
  watch_host_access(*watched);
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  for (Guard& guard : guards) {
    if (guard.end != 0) continue;
    guard.begin = begin;
    guard.kind = kind;
    guard.touches = 0;
    guard.end = begin + bytes;
    set_pages(begin, begin + bytes, kind == HostGuard::read_pending ? PROT_READ : PROT_NONE);
    return;
  }
}

void open_to_host(const void* address, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  for (Guard& guard : guards) {
    if (guard.end == begin + bytes && guard.begin == begin) guard.end = 0;
  }
  set_pages(begin, begin + bytes, PROT_READ | PROT_WRITE);
}

std::vector<HostTouch> take_host_touches() {
  const Touching alone;
  return std::exchange(host_touches, {});
}

bool host_came_early() { return came_early; }
void forget_early_host() { came_early = false; }

}  // namespace klab::sim
