// Kinds of random kernels: what a seed draws from.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace klab {

enum class RandomKind {
  usual,       ///< whatever a program may hold: branches, calls, divisions, unrolled loops
  structured,  ///< the same without calls and divisions, loops rolled up; lanes meet in between
  masked,  ///< as structured, with calls; every branch says which lanes take it and that they meet
  memory   ///< accesses of every width, stride, alignment and choice of lanes, nothing else
};
inline constexpr std::array random_kinds{RandomKind::usual, RandomKind::structured,
                                         RandomKind::masked, RandomKind::memory};

/// Of the usual kind, seeds from here on draw from more forms; those below make the kernels that
/// they always made.
inline constexpr std::uint64_t first_wide_seed = 1'000'000;

/// "usual"
std::string_view name_of(RandomKind kind);
std::optional<RandomKind> random_kind_from(std::string_view name);

}  // namespace klab
