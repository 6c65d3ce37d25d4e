// Bound: a comparison such as "<= 4.5", written in lab.toml as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace klab {

struct Bound {
  enum class Relation { at_most, at_least, equal };
  Relation relation = Relation::at_most;
  double value = 0;

  bool operator==(const Bound&) const = default;

  /// True only if `measured` satisfies the bound; NaN never does.
  bool holds(double measured) const;
};

/// "<="
std::string_view symbol_of(Bound::Relation relation);
/// Parses "<= 4.5", ">= 16", "== 1"; nullopt for anything else.
std::optional<Bound> parse_bound(std::string_view text);
/// "<= 4.5", with the shortest digits that read back the same: for a file. A person reads
/// format_bound() (quantity.hpp).
std::string to_string(const Bound& bound);

}  // namespace klab
