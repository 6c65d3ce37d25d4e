// Counting what a warp-wide memory access costs: sectors of global memory, wavefronts of shared.
#pragma once
#include <cstdint>

#include "simulator/execute/warp.hpp"

namespace klab::sim {

// Distinct 32-byte sectors that the active lanes touch, `bytes` each (at most 16, not crossing a
// sector when aligned).
std::uint32_t count_sectors(const std::uint64_t* addresses, std::uint32_t mask,
                            std::uint32_t bytes);

// Different bytes that the active lanes access, `bytes` each, aligned: what several of them access
// counts once, as an H200 counts it.
std::uint32_t count_bytes(const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t bytes);

// The same where it is known how many sectors these are: as many as lanes are all different.
inline std::uint32_t count_bytes(const std::uint64_t* addresses, std::uint32_t mask,
                                 std::uint32_t bytes, std::uint32_t sectors) {
  const auto lanes = static_cast<std::uint32_t>(std::popcount(mask));
  return sectors == lanes ? lanes * bytes : count_bytes(addresses, mask, bytes);
}

// Passes that shared memory needs: 32 banks of 4 bytes, one word per bank and pass, the same word
// for any number of lanes. Accesses of 8 bytes go by half warps, of 16 by quarter warps; if all
// active lanes agree with their neighbour (i xor 1, or i xor 2) a pass serves twice as many lanes,
// except of stores. The
// width rules are those NVIDIA staff gave (developer forum, topics 77228 and 373160) and match the
// H200's counters.
struct Wavefronts {
  std::uint32_t total = 0;
  std::uint32_t ideal = 0;  // what the width needs without conflicts
  std::uint32_t bytes = 0;  // different ones; see count_bytes()
};
Wavefronts count_wavefronts(const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t bytes,
                            AccessKind kind = AccessKind::load);

}  // namespace klab::sim
