// Bookkeeping of live allocations and of the pools they came from.
#include "simulator/runtime/state/allocations.hpp"

#include <algorithm>

#include "simulator/base/round_up.hpp"

namespace klab::sim {

namespace {

constexpr std::uint64_t step_bytes = 32u << 20;  // as an H100 reserves them

}  // namespace

const char* name_of(MemoryKind kind) {
  constexpr const char* names[] = {"device", "pinned", "managed", "variable", "heap"};
  return names[static_cast<std::size_t>(kind)];
}

void Allocations::add(std::uint64_t base, AllocationRecord record) {
  record.run = run_;
  if (record.pool != nullptr) record.pool->take(record.bytes);
  live_[base] = record;
}

bool Allocations::remove(std::uint64_t base) {
  const auto found = live_.find(base);
  if (found == live_.end()) return false;
  if (found->second.pool != nullptr) found->second.pool->give_back(found->second.bytes);
  live_.erase(found);
  return true;
}

void MemoryPool::take(std::uint64_t bytes) {
  used_bytes_ += bytes;
  most_used_bytes_ = std::max(most_used_bytes_, used_bytes_);
  reserved_bytes_ = std::max(reserved_bytes_, round_up(used_bytes_, step_bytes));
  most_reserved_bytes_ = std::max(most_reserved_bytes_, reserved_bytes_);
}

void MemoryPool::give_back(std::uint64_t bytes) {
  used_bytes_ -= bytes;
  freed_bytes_ += bytes;
}

void MemoryPool::synchronize() {
  freed_bytes_ = 0;
  const std::uint64_t kept = release_threshold_bytes / step_bytes * step_bytes;
  reserved_bytes_ = std::max(round_up(used_bytes_, step_bytes), std::min(reserved_bytes_, kept));
}

void MemoryPool::trim_to(std::uint64_t bytes) {
  const std::uint64_t least = std::max(used_bytes_ + freed_bytes_, bytes);
  if (least < reserved_bytes_) reserved_bytes_ = round_up(least, step_bytes);
}

void Allocations::release_pools() {
  default_pool.release();
  for (const auto& [handle, pool] : pools) pool->release();
}

void Allocations::synchronize_pools() {
  default_pool.synchronize();
  for (const auto& [handle, pool] : pools) pool->synchronize();
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
