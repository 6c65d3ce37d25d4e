// Marks as bits in memory that the system fills with zeros where it is touched.
#include "simulator/memory/byte_map.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>

#include "simulator/base/round_up.hpp"

namespace klab::sim {

namespace {

constexpr std::uint64_t system_page_bytes = 4096;
// A map so short is written sooner than the system has taken it back and given it anew.
constexpr std::uint64_t short_bytes = 16 * system_page_bytes;

// Of several threads' values the least, or the greatest.
template <class Beyond>
void widen(std::atomic<std::uint64_t>& end, std::uint64_t value, Beyond beyond) {
  std::uint64_t known = end.load(std::memory_order_relaxed);
  while (beyond(value, known) &&
         !end.compare_exchange_weak(known, value, std::memory_order_relaxed)) {
  }
}

}  // namespace

ByteMap::ByteMap(std::uint64_t bytes) : bytes_(bytes) {
  void* marks = mmap(nullptr, map_bytes(), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (marks != MAP_FAILED) marks_ = static_cast<std::uint8_t*>(marks);
}

ByteMap::~ByteMap() {
  if (marks_ != nullptr) munmap(marks_, map_bytes());
}

// Whole pages go back to the system instead of being written: of a large range most have never been
// touched.
void ByteMap::clear(std::uint64_t offset, std::uint64_t bytes) {
  std::uint8_t* const map = marks_ + offset / 8;
  const auto begin = reinterpret_cast<std::uint64_t>(map);
  const std::uint64_t length = bytes / 8;
  const std::uint64_t first = round_up(begin, system_page_bytes),
                      last = (begin + length) / system_page_bytes * system_page_bytes;
  if (length <= short_bytes ||
      madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED) != 0) {
    std::memset(map, 0, length);
    return;
  }
  std::memset(map, 0, first - begin);
  std::memset(reinterpret_cast<void*>(last), 0, begin + length - last);
}

void ByteMap::clear() {
  constexpr std::uint64_t step = 8 * system_page_bytes;  // bytes whose marks fill a page
  const std::uint64_t low = low_.load(), high = high_.load();
  if (low >= high) return;
  const std::uint64_t first = low / step * step;
  clear(first, std::min(round_up(high, step), round_up(bytes_, 8)) - first);
  low_ = ~std::uint64_t{0}, high_ = 0;
}

void ByteMap::unmark(std::uint64_t first, std::uint64_t bytes) {
  std::memset(marks_ + first / 8, 0, bytes / 8);
}

void ByteMap::mark(std::uint64_t first, std::uint64_t bytes) {
  const std::uint64_t last = first + bytes;  // [first, last)
  widen(low_, first, std::less<>());
  widen(high_, last, std::greater<>());
  // Bits of one byte of the map at a time; whole bytes at once.
  const auto set_bits = [this](std::uint64_t from, std::uint64_t to) {
    while (from < to) {
      const std::uint64_t end = std::min(to, from / 8 * 8 + 8);
      const auto bits = static_cast<std::uint8_t>(((1u << (end - from)) - 1) << (from % 8));
      std::uint8_t* const byte = marks_ + from / 8;
      if ((__atomic_load_n(byte, __ATOMIC_RELAXED) & bits) != bits)
        __atomic_fetch_or(byte, bits, __ATOMIC_RELAXED);
      from = end;
    }
  };
  const std::uint64_t whole_first = round_up(first, 8), whole_last = last / 8 * 8;
  if (whole_first >= whole_last) return set_bits(first, last);
  set_bits(first, whole_first);
  std::memset(marks_ + whole_first / 8, 0xff, (whole_last - whole_first) / 8);
  set_bits(whole_last, last);
}

std::optional<std::uint64_t> ByteMap::first_of(std::uint64_t first, std::uint64_t bytes,
                                               std::uint64_t others) const {
  for (std::uint64_t at = first, end = first + bytes; at < end;) {
    // As many as a word of the map holds from here on.
    std::uint64_t word;
    std::memcpy(&word, marks_ + at / 8, sizeof word);
    const std::uint64_t count = std::min(end - at, 64 - at % 8);
    const std::uint64_t other = (word ^ others) >> at % 8 & ~std::uint64_t{0} >> (64 - count);
    if (other != 0) return at + static_cast<std::uint64_t>(std::countr_zero(other));
    at += count;
  }
  return std::nullopt;
}

}  // namespace klab::sim
