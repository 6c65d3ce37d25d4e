// Drawing marks, and looking for them.
#include "runner/problem/marks.hpp"

#include <algorithm>
#include <cstring>

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
  constexpr std::size_t piece = 4096;  // memcmp() compares many bytes at once
  for (std::size_t at = 0; at < bytes; at += piece) {
    const std::size_t length = std::min(piece, bytes - at);
    if (std::memcmp(a + at, b + at, length) == 0) continue;
    return static_cast<std::size_t>(std::mismatch(a + at, a + at + length, b + at).first - a);
  }
  return std::nullopt;
}

std::optional<std::size_t> first_other(const std::byte* memory, std::size_t bytes,
                                       unsigned char value) {
  if (bytes == 0) return std::nullopt;
  if (memory[0] != std::byte{value}) return 0;
  // Each byte is as the one before it, up to the first other.
  const auto before = first_difference(memory, memory + 1, bytes - 1);
  return before ? std::optional(*before + 1) : std::nullopt;
}

bool is_poison(const std::byte* memory, std::size_t bytes, unsigned char poison) {
  return !first_other(memory, bytes, poison);
}

}  // namespace klab::runner
