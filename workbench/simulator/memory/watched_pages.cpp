// Bits in memory that the system fills with zeros where it is touched.
#include "simulator/memory/watched_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>

namespace klab::sim {

WatchedPages::WatchedPages(std::uint64_t bytes)
    : words_((page_of(bytes) + 63) / 64), groups_(page_of(bytes) / pages_of_group + 1) {
  void* const all = mmap(nullptr, 2 * words_ * sizeof(Word) + groups_, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return;
  read_ = static_cast<Word*>(all);
  written_ = read_ + words_;
  any_ = reinterpret_cast<std::atomic<bool>*>(written_ + words_);
}

WatchedPages::~WatchedPages() {
  if (read_ != nullptr) munmap(static_cast<void*>(read_), 2 * words_ * sizeof(Word) + groups_);
}

void WatchedPages::set(Word* bits, const Word* others, std::uint64_t page) {
  const std::uint64_t bit = std::uint64_t{1} << page % 64;
  const bool was_set = (bits[page / 64].fetch_or(bit, std::memory_order_relaxed) & bit) != 0;
  if (was_set || is_set(others, page)) return;
  touched_.fetch_add(1, std::memory_order_relaxed);
  any_[page / pages_of_group].store(true, std::memory_order_relaxed);
}

void WatchedPages::write(std::uint64_t first, std::uint64_t bytes) {
  if (bytes == 0) return;
  for (std::uint64_t page = page_of(first); page <= page_of(first + bytes - 1); ++page) write(page);
}

void WatchedPages::forget(std::uint64_t first, std::uint64_t bytes) {
  const std::uint64_t end = page_of(first + bytes);
  for (auto page = next_touched(page_of(first), end); page; page = next_touched(*page + 1, end)) {
    const std::uint64_t others = ~(std::uint64_t{1} << *page % 64);
    read_[*page / 64].fetch_and(others, std::memory_order_relaxed);
    written_[*page / 64].fetch_and(others, std::memory_order_relaxed);
    touched_.fetch_sub(1, std::memory_order_relaxed);
  }
}

std::optional<std::uint64_t> WatchedPages::next_touched(std::uint64_t page,
                                                        std::uint64_t end) const {
  for (std::uint64_t at = page; at < end; at = (at / 64 + 1) * 64) {
    // Most of a large array nobody touches, and the map would be brought into being to be read.
    while (at < end && !any_[at / pages_of_group].load(std::memory_order_relaxed))
      at = (at / pages_of_group + 1) * pages_of_group;
    if (at >= end) break;
    const std::uint64_t touched = (read_[at / 64].load(std::memory_order_relaxed) |
                                   written_[at / 64].load(std::memory_order_relaxed)) >>
                                  at % 64;
    if (touched == 0) continue;
    const std::uint64_t found = at + static_cast<std::uint64_t>(std::countr_zero(touched));
    return found < end ? std::optional(found) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace klab::sim
