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

std::uint32_t* reserve(std::uint64_t units) {
  void* memory = mmap(nullptr, units * sizeof(std::uint32_t), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::uint32_t*>(memory);
}

}  // namespace

UsesByBlock::UsesByBlock(std::uint64_t arena_bytes)
    : units_(std::min(arena_bytes, most_units)),
      writers_(reserve(units_)),
      readers_(reserve(units_)),
      adders_(reserve(units_)),
      changers_(reserve(units_)),
      read_chunks_(reserve((units_ >> chunk_shift) + 1)) {}

UsesByBlock::~UsesByBlock() {
  for (Tag* tags : {writers_, readers_, adders_, changers_})
    if (tags != nullptr) munmap(tags, units_ * sizeof(Tag));
  if (read_chunks_ != nullptr) munmap(read_chunks_, ((units_ >> chunk_shift) + 1) * sizeof(Tag));
}

void UsesByBlock::forget_all() {
  for (Tag* tags : {writers_, readers_, adders_, changers_})
    madvise(tags, units_ * sizeof(Tag), MADV_DONTNEED);
  madvise(read_chunks_, ((units_ >> chunk_shift) + 1) * sizeof(Tag), MADV_DONTNEED);
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

std::optional<UsesByBlock::Conflict> UsesByBlock::conflict_in(const Tag* tags, const Units& units,
                                                              Use use) const {
  const auto [first, last, own] = units;
  bool any = false;  // without a branch: nearly always there is none
  for (std::uint64_t i = first; i < last; ++i) any |= (tags[i] > base_) & (tags[i] != own);
  if (!any) return std::nullopt;
  std::uint64_t at = first;
  while (tags[at] <= base_ || tags[at] == own) ++at;
  Conflict conflict{at << unit_shift_, {}, use};
  if (tags[at] != several_) conflict.block = tags[at] - base_ - 1;
  return conflict;
}

void UsesByBlock::mark(Tag* tags, const Units& units) const {
  const Tag base = base_, several = several_;
  const auto [first, last, own] = units;
  for (std::uint64_t i = first; i < last; ++i)
    tags[i] = (tags[i] <= base) | (tags[i] == own) ? own : several;
}

bool UsesByBlock::any_read(const Units& units) const {
  bool any = false;
  for (auto i = units.first >> chunk_shift; i <= (units.last - 1) >> chunk_shift; ++i)
    any |= read_chunks_[i] > base_;
  return any;
}

std::optional<UsesByBlock::Conflict> UsesByBlock::read(std::uint64_t block, std::uint64_t offset,
                                                       std::uint64_t bytes) {
  const auto units = units_of(block, offset, bytes);
  if (!units) return std::nullopt;
  mark(readers_, *units);
  if (watches_sums_)
    for (auto i = units->first >> chunk_shift; i <= (units->last - 1) >> chunk_shift; ++i)
      if (read_chunks_[i] <= base_) read_chunks_[i] = units->own;
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
  if (stored || !watches_sums_ || !any_read(*units)) return stored;
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
  std::fill(writers_ + units->first, writers_ + units->last, units->own);
  auto other = conflict_in(readers_, *units, Use::read);
  if (!other && any_sum_.load(std::memory_order_relaxed))
    other = conflict_in(adders_, *units, Use::added);
  if (!other && any_change_.load(std::memory_order_relaxed))
    other = conflict_in(changers_, *units, Use::changed);
  return other;
}

}  // namespace klab::sim
