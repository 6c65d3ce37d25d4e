// The C library's allocations with a list of those that are watched. All of the process comes by
// here, so that it is seen who frees what, also where another library does.
#include "runner/simulated/host_memory.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <mutex>
#include <new>
#include <unordered_set>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

namespace klab::runner {
void take_for_the_kernel_file(bool) {}
std::optional<std::int64_t> kept_pieces() { return std::nullopt; }
std::uint64_t largest_piece() { return 0; }
}  // namespace klab::runner

#else

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace klab::runner {
namespace {

/// For the list itself.
template <class T>
struct Plain {
  using value_type = T;
  Plain() = default;
  template <class U>
  Plain(const Plain<U>&) {}
  T* allocate(std::size_t count) { return static_cast<T*>(__libc_malloc(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t) { __libc_free(memory); }
  bool operator==(const Plain&) const { return true; }
};
using Pieces = std::unordered_set<void*, std::hash<void*>, std::equal_to<>, Plain<void*> >;

struct Watched {
  std::mutex mutex;
  Pieces pieces;
};
/// Never destroyed: memory is freed until the process has ended.
Watched& watched() {
  alignas(Watched) static std::byte room[sizeof(Watched)];
  static Watched* const one = new (room) Watched;
  return *one;
}
std::atomic<std::int64_t> count{0};
/// How many watched pieces lie at addresses like this one: most that is freed is none, and then
/// the list need not be asked.
std::atomic<std::int32_t> alike[4096];
std::atomic<std::int32_t>& those_like(const void* memory) {
  constexpr std::size_t alignment = 16;  // of malloc
  return alike[reinterpret_cast<std::uintptr_t>(memory) / alignment % std::size(alike)];
}
std::atomic<std::uint64_t> largest{0};
thread_local bool is_kernel_files = false;
/// The simulator's: whether this thread is within a call of the runtime.
int (*is_in_call)() = nullptr;

void* noted(void* memory, std::size_t bytes) {
  if (!is_kernel_files || memory == nullptr || is_in_call() != 0) return memory;
  if (bytes > largest.load(std::memory_order_relaxed)) largest = bytes;
  Watched& all = watched();
  const std::scoped_lock lock(all.mutex);
  if (all.pieces.insert(memory).second) {
    count.fetch_add(1, std::memory_order_relaxed);
    those_like(memory).fetch_add(1, std::memory_order_relaxed);
  }
  return memory;
}

void forget(void* memory) {
  if (memory == nullptr || those_like(memory).load(std::memory_order_relaxed) == 0) return;
  Watched& all = watched();
  const std::scoped_lock lock(all.mutex);
  if (all.pieces.erase(memory) == 0) return;
  count.fetch_sub(1, std::memory_order_relaxed);
  those_like(memory).fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace

void take_for_the_kernel_file(bool on) {
  if (is_in_call == nullptr)
    is_in_call = reinterpret_cast<int (*)()>(::dlsym(RTLD_DEFAULT, "klab_sim_in_call"));
  is_kernel_files = on && is_in_call != nullptr;
}
std::optional<std::int64_t> kept_pieces() { return count.load(std::memory_order_relaxed); }
std::uint64_t largest_piece() { return largest.exchange(0); }

}  // namespace klab::runner

// In place of the C library's own.
extern "C" {

void* malloc(std::size_t bytes) noexcept {
  return klab::runner::noted(__libc_malloc(bytes), bytes);
}

void* calloc(std::size_t count, std::size_t bytes) noexcept {
  return klab::runner::noted(__libc_calloc(count, bytes), count * bytes);
}

/// Forgotten before: what it leaves may at once be another thread's. A piece that is kept in place,
/// or that could not be made larger, is one again.
void* realloc(void* memory, std::size_t bytes) noexcept {
  klab::runner::forget(memory);
  return klab::runner::noted(__libc_realloc(memory, bytes), bytes);
}

void free(void* memory) noexcept {
  klab::runner::forget(memory);
  __libc_free(memory);
}

void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  return klab::runner::noted(__libc_memalign(alignment, bytes), bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  return memalign(alignment, bytes);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) noexcept {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
    return EINVAL;
  void* const found = memalign(alignment, bytes);
  if (found == nullptr) return ENOMEM;
  *memory = found;
  return 0;
}

}  // extern "C"

#endif
