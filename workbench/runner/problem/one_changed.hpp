// A problem that differs from another one by little.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "runner/workload/random.cuh"
#include "runner/workload/workload.hpp"

namespace klab::runner {

/// Changes are numbered: one element of each buffer in turn, then all scalars; then other elements,
/// and every second scalar; then others still, and the other half of the scalars; then once more
/// others, and all scalars by little: who keeps a result by rounded ones takes them for the same.
inline constexpr std::size_t rounds_of_changes = 4;
inline bool changes_scalars(const std::vector<BufferSpec>& specs, std::size_t number) {
  return number % (specs.size() + 1) == specs.size();
}

inline bool is_by_little(std::size_t round) { return round % rounds_of_changes == 3; }

/// Half of them, as their bits: of two scalars one.
inline std::uint64_t changed_scalars(std::size_t round) {
  constexpr std::uint64_t every_second = 0x5555555555555555;
  return round == 0 || is_by_little(round) ? ~std::uint64_t{0}
         : round % 2 == 1                  ? every_second
                                           : ~every_second;
}

/// What is to be filled once more after `filled`, with the scalars that change.
inline Problem with_one_changed(Problem filled, const std::vector<BufferSpec>& specs,
                                std::size_t number) {
  const std::uint64_t seed = hash(filled.seed, ~std::uint64_t{number});
  filled.parts.resize(specs.size());  // nothing of any
  if (changes_scalars(specs, number)) {
    constexpr float little = 0x1p-13f;
    const std::size_t round = number / (specs.size() + 1);
    filled.scalars = {seed, changed_scalars(round), is_by_little(round) ? little : 1};
    return filled;
  }
  filled.seed = seed;
  const std::size_t buffer = number % (specs.size() + 1);
  const auto element = static_cast<std::int64_t>(hash(filled.seed, buffer) % specs[buffer].count);
  filled.parts[buffer] = {{element, element + 1}};
  return filled;
}

}  // namespace klab::runner
