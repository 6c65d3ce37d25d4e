// Bookkeeping of live allocations and of the pools they came from.
#include "simulator/runtime/state/allocations.hpp"

#include <algorithm>

namespace klab::sim {

const char* name_of(MemoryKind kind) {
  constexpr const char* names[] = {"device", "pinned", "managed", "variable", "heap"};
  return names[static_cast<std::size_t>(kind)];
}

void Allocations::add(std::uint64_t base, AllocationRecord record) {
  record.run = run_;
  if (record.pool != nullptr) {
    record.pool->used_bytes += record.bytes;
    record.pool->most_used_bytes = std::max(record.pool->most_used_bytes, record.pool->used_bytes);
  }
  live_[base] = record;
}

bool Allocations::remove(std::uint64_t base) {
  const auto found = live_.find(base);
  if (found == live_.end()) return false;
  if (found->second.pool != nullptr) found->second.pool->used_bytes -= found->second.bytes;
  live_.erase(found);
  return true;
}

MemoryPool* Allocations::create_pool() {
  auto pool = std::make_unique<MemoryPool>();
  MemoryPool* raw = pool.get();
  pools[raw] = std::move(pool);
  return raw;
}

void Allocations::destroy_pool(MemoryPool* pool) {
  for (auto& [base, record] : live_) {
    if (record.pool == pool) record.pool = nullptr;
  }
  if (current_pool == pool) current_pool = &default_pool;
  pools.erase(pool);
}

AllocationRecord* Allocations::at(std::uint64_t base) {
  const auto found = live_.find(base);
  return found == live_.end() ? nullptr : &found->second;
}

Allocations::Map::const_iterator Allocations::holding(std::uint64_t address) const {
  auto after = live_.upper_bound(address);
  if (after == live_.begin()) return live_.end();
  --after;
  return address - after->first < std::max<std::uint64_t>(after->second.bytes, 1) ? after
                                                                                  : live_.end();
}

}  // namespace klab::sim
