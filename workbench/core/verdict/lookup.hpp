// Looking up what a check found of one variant.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/base/find.hpp"
#include "core/verdict/check_result.hpp"

namespace klab {

/// The median of a variant's times; absent where it was not timed.
inline std::optional<Interval> seconds_of(const CheckResult& result, const VariantName& variant) {
  const VariantTimes* times = find_in(result.timing.variants, variant);
  return times ? times->seconds : std::nullopt;
}

/// Null where it was not collected.
inline const CounterValue* find_counter(const std::map<VariantName, Counters>& counters,
                                        const VariantName& variant, const std::string& name) {
  const Counters* own = find_in(counters, variant);
  return own ? find_in(*own, name) : nullptr;
}

}  // namespace klab
