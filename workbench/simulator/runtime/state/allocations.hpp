// What the runtime knows of each allocation beyond its address: how it was made and who owns it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "simulator/memory/device_memory.hpp"
#include "simulator/runtime/state/managed_advice.hpp"

namespace klab::sim {

/// Takes memory of the system in steps and keeps it until someone waits for the device, as an H100
/// does; what is reserved takes none here.
class MemoryPool {
 public:
  void take(std::uint64_t bytes);
  void give_back(std::uint64_t bytes);
  /// The host has waited: beyond the threshold nothing stays reserved that is not in use.
  void synchronize();
  /// Releases what is neither in use nor within the first `bytes`.
  void trim_to(std::uint64_t bytes);
  void release() { freed_bytes_ = 0, reserved_bytes_ = 0; }
  void forget_high_mark(bool of_reserved) {
    (of_reserved ? most_reserved_bytes_ : most_used_bytes_) =
        of_reserved ? reserved_bytes_ : used_bytes_;
  }

  std::uint64_t used_bytes() const { return used_bytes_; }
  std::uint64_t most_used_bytes() const { return most_used_bytes_; }
  std::uint64_t reserved_bytes() const { return reserved_bytes_; }
  std::uint64_t most_reserved_bytes() const { return most_reserved_bytes_; }

  std::uint64_t release_threshold_bytes = 0;
  bool reuse_follow_event_dependencies = true;
  bool reuse_allow_opportunistic = true;
  bool reuse_allow_internal_dependencies = true;

 private:
  std::uint64_t used_bytes_ = 0, most_used_bytes_ = 0;
  std::uint64_t reserved_bytes_ = 0, most_reserved_bytes_ = 0;
  std::uint64_t freed_bytes_ = 0;  ///< since the host waited last: yet in use, as far as one knows
};

const char* name_of(MemoryKind kind);  ///< "device", "pinned", "managed", ...

struct AllocationRecord {
  std::uint64_t bytes = 0;
  MemoryKind kind = MemoryKind::device;
  unsigned flags = 0;           ///< of cudaHostAlloc or cudaHostRegister
  bool registered = false;      ///< host memory that the program owns (cudaHostRegister)
  bool owned_by_graph = false;  ///< a graph's memory node
  bool kept_by_launch = false;  ///< a launched graph left it to others to free
  bool freed = false;           ///< a stream will free it (cudaFreeAsync)
  MemoryPool* pool = nullptr;   ///< of a stream-ordered allocation
  ManagedAdvice advice;         ///< of managed memory
  std::uint64_t run = 0;        ///< which klab_sim_begin it belongs to
};

/// The program's live allocations by base address. Module variables are not among them.
class Allocations {
 public:
  using Map = std::map<std::uint64_t, AllocationRecord>;

  void add(std::uint64_t base, AllocationRecord record);
  /// Forgets the allocation that starts at `base`; false when there is none.
  bool remove(std::uint64_t base);
  /// The allocation that starts exactly at `base`, or holds `address`; null if none.
  AllocationRecord* at(std::uint64_t base);
  Map::const_iterator holding(std::uint64_t address) const;
  Map::const_iterator end() const { return live_.end(); }
  const Map& live() const { return live_; }

  /// Whether the allocation was made since the last begin().
  bool is_of_this_run(const AllocationRecord& record) const { return record.run == run_; }
  void begin() { ++run_; }

  /// Nothing stays reserved: a reset of the device.
  void release_pools();
  /// The host has waited for the device.
  void synchronize_pools();
  MemoryPool* create_pool();
  /// The pool goes away; what was allocated from it stays.
  void destroy_pool(MemoryPool* pool);

  MemoryPool default_pool;
  MemoryPool* current_pool = &default_pool;
  std::map<const MemoryPool*, std::unique_ptr<MemoryPool>> pools;  ///< created by the program

  std::uint64_t run() const { return run_; }

 private:
  Map live_;
  std::uint64_t run_ = 1;
};

}  // namespace klab::sim
