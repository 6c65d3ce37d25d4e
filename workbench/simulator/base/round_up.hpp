// The next multiple of a size, as alignments need it.
#pragma once

#include <cstdint>

namespace klab::sim {

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace klab::sim
