// A tag for each unit: the last block that stored there, and the one that read there or "several".
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
      readers_(reserve(units_)) {
  if (readers_ != nullptr || writers_ == nullptr) return;
  munmap(writers_, units_ * sizeof(Tag));
  writers_ = nullptr;
}

UsesByBlock::~UsesByBlock() {
  if (writers_ != nullptr) munmap(writers_, units_ * sizeof(Tag));
  if (readers_ != nullptr) munmap(readers_, units_ * sizeof(Tag));
}

void UsesByBlock::forget_all() {
  madvise(writers_, units_ * sizeof(Tag), MADV_DONTNEED);
  madvise(readers_, units_ * sizeof(Tag), MADV_DONTNEED);
  base_ = several_ = 0;
}

void UsesByBlock::begin(std::uint64_t blocks, std::uint32_t unit_bytes) {
  const auto shift = static_cast<std::uint32_t>(std::countr_zero(unit_bytes));
  const std::uint64_t next = std::uint64_t{several_} + blocks + 1;
  if (shift != unit_shift_ || next > std::numeric_limits<Tag>::max()) forget_all();
  unit_shift_ = shift;
  base_ = several_;
  several_ = static_cast<Tag>(base_ + blocks + 1);
}

std::optional<UsesByBlock::Conflict> UsesByBlock::conflict_in(const Tag* tags, std::uint64_t first,
                                                              std::uint64_t last, Tag own) const {
  bool any = false;  // without a branch: nearly always there is none
  for (std::uint64_t i = first; i < last; ++i) any |= (tags[i] > base_) & (tags[i] != own);
  if (!any) return std::nullopt;
  std::uint64_t at = first;
  while (tags[at] <= base_ || tags[at] == own) ++at;
  Conflict conflict{at << unit_shift_, {}};
  if (tags[at] != several_) conflict.block = tags[at] - base_ - 1;
  return conflict;
}

std::optional<UsesByBlock::Conflict> UsesByBlock::read(std::uint64_t block, std::uint64_t offset,
                                                       std::uint64_t bytes) {
  const std::uint64_t first = offset >> unit_shift_,
                      last = ((offset + bytes - 1) >> unit_shift_) + 1;
  if (outside(last)) return std::nullopt;
  const Tag own = static_cast<Tag>(base_ + 1 + block), base = base_, several = several_;
  Tag* const readers = readers_;
  for (std::uint64_t i = first; i < last; ++i)
    readers[i] = (readers[i] <= base) | (readers[i] == own) ? own : several;
  return conflict_in(writers_, first, last, own);
}

std::optional<UsesByBlock::Conflict> UsesByBlock::store(std::uint64_t block, std::uint64_t offset,
                                                        std::uint64_t bytes) {
  const std::uint64_t first = offset >> unit_shift_,
                      last = ((offset + bytes - 1) >> unit_shift_) + 1;
  if (outside(last)) return std::nullopt;
  const Tag own = static_cast<Tag>(base_ + 1 + block);
  std::fill(writers_ + first, writers_ + last, own);
  return conflict_in(readers_, first, last, own);
}

}  // namespace klab::sim
