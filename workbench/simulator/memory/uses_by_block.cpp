// A tag for each unit: the last block that stored there, and the one that read, added or changed
// there or "several".
#include "simulator/memory/uses_by_block.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace klab::sim {

namespace {

// Far beyond what the checked sizes of any lab take; what lies behind is not looked at.
constexpr std::uint64_t most_units = std::uint64_t{1} << 36;

std::uint32_t* reserve(std::uint64_t tags) {
  void* memory = mmap(nullptr, tags * sizeof(std::uint32_t), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::uint32_t*>(memory);
}

}  // namespace

UsesByBlock::UsesByBlock(std::uint64_t arena_bytes)
    : units_(std::min(arena_bytes, most_units)), chunks_((units_ >> chunk_shift) + 1) {
  for (Tags* tags : {&writers_, &readers_, &adders_, &changers_})
    *tags = {reserve(units_), reserve(chunks_)};
}

UsesByBlock::~UsesByBlock() {
  for (const Tags& tags : {writers_, readers_, adders_, changers_}) {
    if (tags.units != nullptr) munmap(tags.units, units_ * sizeof(Tag));
    if (tags.chunks != nullptr) munmap(tags.chunks, chunks_ * sizeof(Tag));
  }
}

bool UsesByBlock::failed() const {
  for (const Tags& tags : {writers_, readers_, adders_, changers_})
    if (tags.units == nullptr || tags.chunks == nullptr) return true;
  return false;
}

void UsesByBlock::forget_all() {
  for (const Tags& tags : {writers_, readers_, adders_, changers_}) {
    madvise(tags.units, units_ * sizeof(Tag), MADV_DONTNEED);
    madvise(tags.chunks, chunks_ * sizeof(Tag), MADV_DONTNEED);
  }
  base_ = several_ = 0;
}

void UsesByBlock::begin(std::uint64_t blocks, std::uint32_t unit_bytes, bool watches_sums) {
  const auto shift = static_cast<std::uint32_t>(std::countr_zero(unit_bytes));
  const std::uint64_t next = std::uint64_t{several_} + blocks + 1;
  if (shift != unit_shift_ || next > std::numeric_limits<Tag>::max()) forget_all();
  unit_shift_ = shift;
  watches_sums_ = watches_sums;
  any_sum_ = any_change_ = false;
  base_ = several_;
  several_ = static_cast<Tag>(base_ + blocks + 1);
}

std::optional<UsesByBlock::Units> UsesByBlock::units_of(std::uint64_t block, std::uint64_t offset,
                                                        std::uint64_t bytes) const {
  const Units units{offset >> unit_shift_, ((offset + bytes - 1) >> unit_shift_) + 1,
                    static_cast<Tag>(base_ + 1 + block)};
  if (units.last > units_) return std::nullopt;
  return units;
}

// Each chunk's part of them in turn.
template <class Body>
void UsesByBlock::by_chunk(const Units& units, Body body) {
  for (std::uint64_t first = units.first; first < units.last;) {
    const std::uint64_t chunk = first >> chunk_shift,
                        last = std::min(units.last, (chunk + 1) << chunk_shift);
    body(chunk, Units{first, last, units.own});
    first = last;
  }
}

std::optional<UsesByBlock::Conflict> UsesByBlock::conflict_in(const Tags& tags, const Units& units,
                                                              Use use) const {
  std::optional<Conflict> conflict;
  by_chunk(units, [&](std::uint64_t chunk, const Units& part) {
    if (conflict || tags.chunks[chunk] <= base_) return;
    const auto [first, last, own] = part;
    const Tag* const tag = tags.units;
    bool any = false;  // without a branch: nearly always there is none
    for (std::uint64_t i = first; i < last; ++i) any |= (tag[i] > base_) & (tag[i] != own);
    if (!any) return;
    std::uint64_t at = first;
    while (tag[at] <= base_ || tag[at] == own) ++at;
    conflict = Conflict{at << unit_shift_, {}, use};
    if (tag[at] != several_) conflict->block = tag[at] - base_ - 1;
  });
  return conflict;
}

// Beside the tags that are there.
void UsesByBlock::mark(const Tags& tags, const Units& units) const {
  by_chunk(units, [&](std::uint64_t chunk, const Units& part) {
    const Tag base = base_, several = several_;
    const auto [first, last, own] = part;
    if (tags.chunks[chunk] <= base) return mark_last(tags, part);
    for (std::uint64_t i = first; i < last; ++i)
      tags.units[i] = (tags.units[i] <= base) | (tags.units[i] == own) ? own : several;
  });
}

// In place of those that are there.
void UsesByBlock::mark_last(const Tags& tags, const Units& units) const {
  std::fill(tags.units + units.first, tags.units + units.last, units.own);
  for (auto i = units.first >> chunk_shift; i <= (units.last - 1) >> chunk_shift; ++i)
    if (tags.chunks[i] <= base_) tags.chunks[i] = units.own;
}

std::optional<UsesByBlock::Conflict> UsesByBlock::read(std::uint64_t block, std::uint64_t offset,
                                                       std::uint64_t bytes) {
  const auto units = units_of(block, offset, bytes);
  if (!units) return std::nullopt;
  mark(readers_, *units);
  const auto stored = conflict_in(writers_, *units, Use::stored);
  if (stored || !watches_sums_ || !any_sum_.load(std::memory_order_relaxed)) return stored;
  return conflict_in(adders_, *units, Use::added);
}

std::optional<UsesByBlock::Conflict> UsesByBlock::add(std::uint64_t block, std::uint64_t offset,
                                                      std::uint64_t bytes) {
  const auto units = units_of(block, offset, bytes);
  if (!units) return std::nullopt;
  mark(adders_, *units);
  any_sum_.store(true, std::memory_order_relaxed);
  const auto stored = conflict_in(writers_, *units, Use::stored);
  if (stored || !watches_sums_) return stored;
  return conflict_in(readers_, *units, Use::read);
}

std::optional<UsesByBlock::Conflict> UsesByBlock::change(std::uint64_t block, std::uint64_t offset,
                                                         std::uint64_t bytes) {
  const auto units = units_of(block, offset, bytes);
  if (!units) return std::nullopt;
  mark(changers_, *units);
  any_change_.store(true, std::memory_order_relaxed);
  return conflict_in(writers_, *units, Use::stored);
}

std::optional<UsesByBlock::Conflict> UsesByBlock::store(std::uint64_t block, std::uint64_t offset,
                                                        std::uint64_t bytes) {
  const auto units = units_of(block, offset, bytes);
  if (!units) return std::nullopt;
  mark_last(writers_, *units);
  auto other = conflict_in(readers_, *units, Use::read);
  if (!other && any_sum_.load(std::memory_order_relaxed))
    other = conflict_in(adders_, *units, Use::added);
  if (!other && any_change_.load(std::memory_order_relaxed))
    other = conflict_in(changers_, *units, Use::changed);
  return other;
}

}  // namespace klab::sim
