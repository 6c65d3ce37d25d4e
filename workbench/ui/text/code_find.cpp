// CodeFind: plain search, line by line.
#include "ui/text/code_find.hpp"

#include <algorithm>
#include <cctype>

namespace klab::ui {
namespace {

constexpr std::size_t most_matches = 10'000;
constexpr std::size_t farthest_bracket = 1u << 16;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

}  // namespace

std::vector<TextMatch> find_all(std::string_view text, std::string_view needle) {
  std::vector<TextMatch> matches;
  if (needle.empty()) return matches;
  const bool exact = std::any_of(needle.begin(), needle.end(), [](char c) {
    return std::isupper(static_cast<unsigned char>(c)) != 0;
  });
  const auto same = [&](char a, char b) { return exact ? a == b : lower(a) == lower(b); };
  for (int line = 1; matches.size() < most_matches; ++line) {
    const auto end = text.find('\n');
    const std::string_view row = text.substr(0, end);
    for (auto at = row.begin(); matches.size() < most_matches;) {
      at = std::search(at, row.end(), needle.begin(), needle.end(), same);
      if (at == row.end()) break;
      const auto begin = static_cast<std::size_t>(at - row.begin());
      matches.push_back({line, begin, begin + needle.size()});
      at += static_cast<std::ptrdiff_t>(needle.size());
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return matches;
}

std::optional<std::size_t> current_match(std::size_t count, int match) {
  if (count == 0) return std::nullopt;
  const int size = static_cast<int>(count);
  return static_cast<std::size_t>(((match % size) + size) % size);
}

std::optional<BracketPair> bracket_pair(std::string_view text, std::size_t at) {
  constexpr std::string_view opening = "([{", closing = ")]}";
  const auto is_bracket = [&](std::size_t i) {
    return i < text.size() && (opening.find(text[i]) != std::string_view::npos ||
                               closing.find(text[i]) != std::string_view::npos);
  };
  if (!is_bracket(at)) {
    if (at == 0 || !is_bracket(at - 1)) return std::nullopt;
    --at;
  }
  const bool forward = opening.find(text[at]) != std::string_view::npos;
  const char own = text[at];
  const char other = forward ? closing[opening.find(own)] : opening[closing.find(own)];
  int depth = 0;
  for (std::size_t step = 0; step < farthest_bracket; ++step) {
    if (!forward && step > at) break;
    const std::size_t i = forward ? at + step : at - step;
    if (i >= text.size()) break;
    if (text[i] == own) ++depth;
    if (text[i] == other && --depth == 0) return BracketPair{at, i};
  }
  return std::nullopt;
}

}  // namespace klab::ui
