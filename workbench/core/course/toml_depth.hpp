// How deep a TOML text nests, told before it is parsed: the parser builds a table a level and
// recurses over them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace klab {

inline constexpr int most_key_parts = 16;
inline constexpr int most_nested_values = 16;

/// The first line with a key of more parts, or a value nested deeper; nullopt if there is none.
std::optional<std::uint32_t> line_too_deep(std::string_view toml);

}  // namespace klab
