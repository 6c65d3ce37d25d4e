// Drawing marks, and looking for them.
#include "runner/problem/marks.hpp"

#include <algorithm>

#include "runner/workload/random.cuh"

namespace klab::runner {

Marks marks_of(std::uint64_t seed) {
  // 0x60 to 0x7F and 0xE0 to 0xFF.
  const auto drawn = [&](std::uint64_t index) {
    const std::uint64_t bits = hash(seed, index);
    return static_cast<unsigned char>((bits & 0x1F) | 0x60 | (bits >> 32 & 0x80));
  };
  return {drawn(0), drawn(1)};
}

std::optional<std::size_t> first_difference(const std::byte* a, const std::byte* b,
                                            std::size_t bytes) {
  const auto [at, other] = std::mismatch(a, a + bytes, b);
  if (at == a + bytes) return std::nullopt;
  return static_cast<std::size_t>(at - a);
}

std::optional<std::size_t> first_other(const std::byte* memory, std::size_t bytes,
                                       unsigned char value) {
  const auto* end = memory + bytes;
  const auto* at = std::find_if(memory, end, [=](std::byte b) { return b != std::byte{value}; });
  if (at == end) return std::nullopt;
  return static_cast<std::size_t>(at - memory);
}

bool is_poison(const std::byte* memory, std::size_t bytes, unsigned char poison) {
  return !first_other(memory, bytes, poison);
}

}  // namespace klab::runner
