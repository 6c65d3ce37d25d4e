// What a kernel file gets that looks for functions by name: NVTX, in place of dlopen() and dlsym(),
// the profiler that the environment names, and nothing else; others those functions of the driver
// that it may call; of system calls the one by which std::atomic waits. Kernel files are linked so
// that they call these.
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include "core/build/calls/forbidden_calls.hpp"

namespace {

/// Answers as a driver does that does not have the function.
bool refuses(const char* symbol, void** function, cudaDriverEntryPointQueryResult* result) {
  if (symbol == nullptr || klab::why_forbidden(symbol).empty()) return false;
  if (function != nullptr) *function = nullptr;
  if (result != nullptr) *result = cudaDriverEntryPointSymbolNotFound;
  return true;
}

}  // namespace

extern "C" void* __wrap_dlopen(const char* path, int flags) {
  const char* profiler = std::getenv("NVTX_INJECTION64_PATH");
  if (profiler == nullptr || path == nullptr || std::strcmp(path, profiler) != 0) return nullptr;
  return ::dlopen(path, flags);
}

extern "C" void* __wrap_dlsym(void* library, const char* name) {
  constexpr const char* entry = "InitializeInjectionNvtx";
  if (std::strncmp(name, entry, std::strlen(entry)) != 0) return nullptr;
  return ::dlsym(library, name);
}

extern "C" int __wrap_dlclose(void*) { return 0; }

/// What waits at an address and wakes who waits there, within this process; what else there is
/// answers as an old system does. What is asked for where it can be read is refused before it is
/// loaded (core/build/calls/forbidden_calls.cpp).
extern "C" long __wrap_syscall(long number, ...) {
  va_list rest;
  va_start(rest, number);
  void* const address = va_arg(rest, void*);
  const int operation = va_arg(rest, int);
  const long value = va_arg(rest, long);
  void* const timeout = va_arg(rest, void*);
  void* const other = va_arg(rest, void*);
  const long mask = va_arg(rest, long);
  va_end(rest);
  const int kind = operation & FUTEX_CMD_MASK;
  if (number == SYS_futex && (kind == FUTEX_WAIT || kind == FUTEX_WAKE ||
                              kind == FUTEX_WAIT_BITSET || kind == FUTEX_WAKE_BITSET))
    return ::syscall(SYS_futex, address, operation, value, timeout, other, mask);
  errno = ENOSYS;
  return -1;
}

extern "C" cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char*, void**, unsigned,
                                                             unsigned long long,
                                                             cudaDriverEntryPointQueryResult*);

extern "C" cudaError_t __wrap_cudaGetDriverEntryPointByVersion(
    const char* symbol, void** function, unsigned version, unsigned long long flags,
    cudaDriverEntryPointQueryResult* result) {
  if (refuses(symbol, function, result)) return cudaErrorSymbolNotFound;
  return ::cudaGetDriverEntryPointByVersion(symbol, function, version, flags, result);
}

extern "C" cudaError_t __wrap_cudaGetDriverEntryPointByVersion_ptsz(
    const char* symbol, void** function, unsigned version, unsigned long long flags,
    cudaDriverEntryPointQueryResult* result) {
  if (refuses(symbol, function, result)) return cudaErrorSymbolNotFound;
  return ::cudaGetDriverEntryPointByVersion_ptsz(symbol, function, version, flags, result);
}
