// Bound: parsing, printing and holding comparisons such as "<= 4.5".
#include "core/verdict/bound.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/base/names.hpp"

namespace klab {
namespace {

constexpr std::pair<Bound::Relation, std::string_view> relations[] = {
    {Bound::Relation::at_most, "<="},
    {Bound::Relation::at_least, ">="},
    {Bound::Relation::equal, "=="}};

constexpr std::string_view spaces = " \t";

}  // namespace

bool Bound::holds(double measured) const {
  switch (relation) {
    case Relation::at_most:
      return measured <= value;
    case Relation::at_least:
      return measured >= value;
    case Relation::equal:
      return measured == value;
  }
  return false;
}

std::string_view symbol_of(Bound::Relation relation) { return name_in(relations, relation); }

std::optional<Bound> parse_bound(std::string_view text) {
  const auto first = text.find_first_not_of(spaces);
  if (first == text.npos) return std::nullopt;
  text = text.substr(first, text.find_last_not_of(spaces) - first + 1);
  for (const auto& [relation, symbol] : relations) {
    if (!text.starts_with(symbol)) continue;
    text.remove_prefix(symbol.size());
    text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size()));
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
      return std::nullopt;
    }
    return Bound{relation, value};
  }
  return std::nullopt;
}

std::string to_string(const Bound& bound) {
  std::array<char, 32> digits;
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), bound.value);
  return std::string(symbol_of(bound.relation)) + ' ' + std::string(digits.data(), end);
}

}  // namespace klab
