// Undoing the compression that nvcc applies to the images of a fat binary.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace klab::sim {

enum class Compression : std::uint8_t { lz4, zstd };

// The `bytes` that were compressed; nothing when the data is damaged, or when this build has no
// library for it (liblz4-dev, libzstd-dev).
std::optional<std::vector<std::byte>> decompress(Compression compression,
                                                 std::span<const std::byte> data,
                                                 std::uint64_t bytes);

}  // namespace klab::sim
