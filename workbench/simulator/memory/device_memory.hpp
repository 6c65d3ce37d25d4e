// The simulated GPU's memory: a reserved range of device addresses that the host can't touch.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include "simulator/memory/byte_map.hpp"
#include "simulator/memory/textures.hpp"
#include "simulator/memory/watched_pages.hpp"

namespace klab::sim {

enum class MemoryKind : std::uint8_t {
  device,           // host access is a segmentation fault, as on a real machine
  pinned,           // host and device share the address
  managed,          // host and device share the address
  module_variable,  // __device__ and __constant__ variables
  heap              // from malloc() inside a kernel
};

struct Allocation {
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;
  std::uint64_t id = 0;  // counts up from 1 over the life of the device
  MemoryKind kind = MemoryKind::device;
  bool freed = false;
  bool watched = false;        // what nobody wrote there is zero; see watched_pages()
  bool scratch = false;        // what is set there from outside a kernel file means nothing
  std::string label;           // a variable's name, or one that was given; may be empty
  std::int64_t to_host = 0;    // device address + to_host = address at which the simulator reads it
  std::uint64_t capacity = 0;  // bytes of address space held, without the gap behind

  std::uint64_t end() const { return base + bytes; }
};

// Device addresses come from one arena, mapped twice from the same anonymous file: at the device
// address without host access (pinned and managed ranges excepted), and at an alias that only the
// simulator uses, where large ranges may have pages of their own. Addresses of freed memory are not
// handed out again until the arena is exhausted, so that use after free is seen. Allocation and
// lookup may be called from several threads.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::uint64_t limit_bytes = default_limit_bytes());
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // Half of the memory that this machine or container has.
  static std::uint64_t default_limit_bytes();

  void set_limit_bytes(std::uint64_t bytes) { limit_bytes_ = bytes; }
  std::uint64_t limit_bytes() const { return limit_bytes_; }
  std::uint64_t used_bytes() const { return used_bytes_; }
  // What malloc() inside kernels gave and free() did not take back.
  std::int64_t heap_pieces() const { return heap_pieces_; }
  // Whether the addresses of what is freed from now on are handed out again at once, the lowest
  // ones that fit.
  void set_reuse(bool on);
  // Whether somebody wants to know which pages of what is large and allocated from now on something
  // touched. Where nobody does, it gets pages of 2 MiB, if the system has any (madvise(2),
  // MADV_HUGEPAGE): pages of 4,096 bytes come one by one, and take longer than all that is done
  // with them. All of those count as touched.
  void watch_pages(bool on);
  // What malloc() inside kernels may hold at once.
  void set_heap_bytes(std::uint64_t bytes) { heap_limit_bytes_ = bytes; }

  // A device address aligned to 4,096 bytes; nothing when the limit or the arena is exhausted.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes, MemoryKind kind,
                                        std::string label = {});
  // What describe() calls the allocation that begins there; nothing where there is none.
  void name(std::uint64_t address, std::string label);
  // Of what begins at `address`.
  void mark_scratch(std::uint64_t address);
  bool is_scratch(std::uint64_t address) const;
  // False when `address` is not the base of a live allocation (or registration).
  bool release(std::uint64_t address);

  // Makes host memory that exists already visible to kernels at its own address (cudaHostRegister).
  // False when it overlaps something known.
  bool register_host(void* pointer, std::uint64_t bytes);

  // The live or freed allocation whose range holds the address; null when there is none. The
  // pointer stays valid until that range is handed out again.
  const Allocation* find(std::uint64_t address) const;
  // Those of a kind that nobody freed, by their addresses.
  std::vector<Allocation> living(MemoryKind kind) const;
  // A sentence part: "12 bytes past the end of allocation 3 (400 bytes at 0x...)".
  std::string describe(std::uint64_t address) const;
  // The same of an access, part of which may lie inside: "from byte 16 of args.out on, which has
  // 18: the last 2 lie behind its end".
  std::string describe(std::uint64_t address, std::uint64_t bytes) const;

  // Where the simulator reads or writes a range that lies inside one live allocation; null
  // otherwise. All of it counts as written.
  std::byte* host_view(std::uint64_t address, std::uint64_t bytes) const;
  // Of an allocation that is watched: a kernel's use of a range, all of which counts as written; or
  // page by page.
  void use_watched(std::uint64_t address, std::uint64_t bytes) const {
    pages_->write(address - arena_, bytes);
  }
  WatchedPages& watched_pages() const { return *pages_; }
  // Of all memory that was ever handed out and not given back, what something touched.
  std::uint64_t touched_bytes() const;
  // Numbers of the pages of 4,096 bytes, from `address` on, that exist because something touched
  // them; the first `most` of them. The address begins a page.
  std::vector<std::uint64_t> touched_pages(std::uint64_t address, std::uint64_t bytes,
                                           std::size_t most) const;
  // Grows whenever a range that was valid stops being so; who keeps ranges asks again then.
  std::uint64_t generation() const { return generation_.load(std::memory_order_relaxed); }
  // Where the simulator reads the byte at arena().
  const std::byte* alias() const { return alias_; }
  bool in_arena(std::uint64_t address) const { return address - arena_ < arena_bytes_; }
  // The range of all addresses that this memory gives.
  std::uint64_t arena() const { return arena_; }
  std::uint64_t arena_bytes() const { return arena_bytes_; }

  // Tracking of initialized bytes, for the check of uninitialized reads. Turning it on treats all
  // existing allocations as initialized. Host copies and memsets must call mark_initialized.
  void set_tracking(bool on);
  bool tracking() const { return tracking_; }
  void mark_initialized(std::uint64_t address, std::uint64_t bytes);
  // What was written there is lost. Both are multiples of 8.
  void mark_discarded(std::uint64_t address, std::uint64_t bytes);
  // First byte of the range that was never written, if any; always none for registered host memory.
  std::optional<std::uint64_t> first_uninitialized(std::uint64_t address,
                                                   std::uint64_t bytes) const;
  // Whether something wrote one of the bytes, if not all.
  bool is_written_in_part(std::uint64_t address, std::uint32_t bytes) const;

  // Who knows what of the host lies at an address, if it is no array; empty: nothing known.
  void ask_for_names(std::function<std::string(std::uint64_t)> name) { name_ = std::move(name); }
  // What the heap of kernels holds at most.
  std::uint64_t heap_limit_bytes() const { return heap_limit_bytes_; }

  // What kernels read through texture units.
  Textures& textures() { return textures_; }

 private:
  // Of those near an address that lies in none; null where there is none.
  const Allocation* nearest(std::uint64_t address) const;
  std::string of_no_allocation(std::uint64_t address) const;
  void protect(const Allocation& allocation, bool host_access);
  bool is_worth_huge_pages(const Allocation& allocation) const;
  bool is_worth_watching(const Allocation& allocation) const;
  void give_own_pages(Allocation& allocation);
  void give_back_pages(const Allocation& allocation);
  struct Range {
    std::uint64_t offset = 0, capacity = 0;
  };
  Range next_touched(std::uint64_t at, std::uint64_t end) const;
  Range next_of_file(std::uint64_t at, std::uint64_t end) const;
  Range next_of_own(std::uint64_t at, std::uint64_t end) const;
  std::optional<Range> take_range(std::uint64_t capacity);
  std::optional<Range> take_freed(std::uint64_t capacity);
  const Allocation* find_locked(std::uint64_t address) const;

  std::function<std::string(std::uint64_t)> name_;
  std::uint64_t limit_bytes_;
  std::uint64_t used_bytes_ = 0;
  std::uint64_t heap_limit_bytes_ = 8u << 20;  // CUDA's default
  std::uint64_t heap_used_bytes_ = 0;
  std::int64_t heap_pieces_ = 0;
  std::uint64_t arena_ = 0;
  std::uint64_t arena_bytes_ = 0;
  std::uint64_t next_ = 0;  // offset of the first address never handed out
  std::uint64_t next_id_ = 1;
  std::atomic<std::uint64_t> generation_{0};
  std::byte* alias_ = nullptr;
  std::unique_ptr<ByteMap> initialized_;
  int file_ = -1;
  bool tracking_ = false, huge_pages_ = false;
  struct OwnPages {
    std::uint64_t capacity = 0;
    bool watched = false;  // or huge
  };
  std::map<std::uint64_t, OwnPages> own_;  // by bases, of what has pages of its own at the alias
  std::uint64_t huge_bytes_ = 0;           // of these
  std::unique_ptr<WatchedPages> pages_;
  std::optional<std::size_t> reused_from_;  // those of the quarantine that come back at once
  Textures textures_;
  mutable std::shared_mutex mutex_;
  std::map<std::uint64_t, Allocation> allocations_;  // by base
  std::deque<std::uint64_t> quarantine_;             // bases of freed allocations, oldest first
};

}  // namespace klab::sim
