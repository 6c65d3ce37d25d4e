// CodeFind: where a text holds what is looked for. No ImGui.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace klab::ui {

/// One match: bytes [begin, end) of a line, which is counted from 1.
struct TextMatch {
  int line = 0;
  std::size_t begin = 0, end = 0;
};

/// All matches, capital letters counting as small ones unless `needle` has a capital. At most
/// 10,000; none for an empty needle.
std::vector<TextMatch> find_all(std::string_view text, std::string_view needle);

/// Index of the current match for any `match`, which goes around; absent without matches.
std::optional<std::size_t> current_match(std::size_t count, int match);

/// The byte of the bracket that belongs to the one at `at`, or just before it; both as a pair.
/// Brackets in comments and text count as any other.
struct BracketPair {
  std::size_t first = 0, second = 0;
};
std::optional<BracketPair> bracket_pair(std::string_view text, std::size_t at);

}  // namespace klab::ui
