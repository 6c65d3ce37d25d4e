// What the runtime knows of each allocation beyond its address: how it was made and who owns it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "simulator/memory/device_memory.hpp"
#include "simulator/runtime/state/managed_advice.hpp"

namespace klab::sim {

struct MemoryPool {
  std::uint64_t release_threshold_bytes = 0;
  std::uint64_t used_bytes = 0;
  std::uint64_t most_used_bytes = 0;
  bool reuse_follow_event_dependencies = true;
  bool reuse_allow_opportunistic = true;
  bool reuse_allow_internal_dependencies = true;
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
