// Where generic addresses of memory spaces other than the global one lie.
#pragma once
#include <cstdint>

namespace klab::sim {

// Generic addresses of shared and local memory lie in these windows, outside all allocations. The
// rank of a block within its cluster, plus one, stands above a shared address's 24 bits.
inline constexpr std::uint64_t shared_window = 0x0100'0000'0000;
inline constexpr std::uint64_t shared_window_bytes = 1ull << 32;
inline constexpr std::uint64_t local_window = 0x0200'0000'0000;
inline constexpr std::uint64_t local_window_bytes = 1ull << 32;
inline constexpr std::uint64_t parameter_window = 0x0300'0000'0000;
inline constexpr std::uint64_t parameter_window_bytes = 1ull << 16;
// Pointers to functions lie in this one; nothing can be read there.
inline constexpr std::uint64_t function_window = 0x0400'0000'0000;
inline constexpr std::uint32_t cluster_rank_shift = 24;

}  // namespace klab::sim
