// Near names: what the user probably meant by a name that does not exist.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace klab {

/// How many single-character insertions, deletions, substitutions and swaps of neighbours turn one
/// name into the other (optimal string alignment distance).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known names near enough to `wrong` to be worth suggesting, nearest first, at most `most`.
/// A name that begins with `wrong` or contains it is always near.
std::vector<std::string> near_names(std::string_view wrong, const std::vector<std::string>& known,
                                    std::size_t most = 3);

/// "a", "a or b", "a, b or c"
std::string join_or(const std::vector<std::string>& names);

}  // namespace klab
