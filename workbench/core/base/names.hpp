// Names: of the values of an enumeration, and what the user probably meant by a name that does not
// exist.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace klab {

/// The name of `value` in a table of names; empty if it has none.
template <class Enum, std::size_t size>
constexpr std::string_view name_in(const std::pair<Enum, std::string_view> (&names)[size],
                                   Enum value) {
  for (const auto& [known, name] : names)
    if (known == value) return name;
  return "";
}

/// The value that a table of names calls `name`.
template <class Enum, std::size_t size>
constexpr std::optional<Enum> value_in(const std::pair<Enum, std::string_view> (&names)[size],
                                       std::string_view name) {
  for (const auto& [value, known] : names)
    if (known == name) return value;
  return std::nullopt;
}

/// How many single-character insertions, deletions, substitutions and swaps of neighbours turn one
/// name into the other (optimal string alignment distance).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known names near enough to `wrong` to be worth suggesting, nearest first, at most `most`.
/// A name that begins with `wrong` or contains it is always near.
std::vector<std::string> near_names(std::string_view wrong, const std::vector<std::string>& known,
                                    std::size_t most = 3);

/// "a", "a or b", "a, b or c"
std::string join_or(const std::vector<std::string>& names);

/// "Did you mean a or b? ", to begin a remedy with; empty if nothing is near.
std::string did_you_mean(const std::vector<std::string>& near);

}  // namespace klab
