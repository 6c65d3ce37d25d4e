// Marks: what stands in memory before a launch, and whether it stands there still.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace klab::runner {

/// What stands in outputs and around buffers before a launch. Drawn anew each time, so that a
/// kernel file learns nothing from it: neither which launch this is nor who looks at it.
struct Marks {
  unsigned char poison = 0xFF;
  unsigned char guard = 0xFF;
};
/// Bytes that, repeated, are no plausible number: as float NaN or beyond 6e19 in size.
Marks marks_of(std::uint64_t seed);

/// The position of the first byte in which two host ranges differ.
std::optional<std::size_t> first_difference(const std::byte* a, const std::byte* b,
                                            std::size_t bytes);
/// The position of the first byte of a host range that is not `value`.
std::optional<std::size_t> first_other(const std::byte* memory, std::size_t bytes,
                                       unsigned char value);
/// Whether every byte of [memory, memory + bytes) is `poison`.
bool is_poison(const std::byte* memory, std::size_t bytes, unsigned char poison);

}  // namespace klab::runner
