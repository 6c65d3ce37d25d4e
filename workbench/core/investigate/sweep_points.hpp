// Sweep: which parameter is varied over which values, and what was found at each.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/course/lab.hpp"
#include "core/verdict/check_result.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

/// The parameter that every lab has: the largest extent of its timing size.
inline constexpr std::string_view size_parameter = "size";

/// Which parameter is varied, over which values.
struct SweepPlan {
  std::string parameter = std::string(size_parameter);  ///< or the name of one of Lab::parameters
  std::vector<std::int64_t> values;                     ///< empty: chosen for the parameter
};

/// One value of the parameter.
struct SweepPoint {
  std::int64_t value = 0;
  Size size;
  std::map<VariantName, Interval> seconds;   ///< median and interval by variant
  std::map<VariantName, Interval> ratio;     ///< first variant / this one, from interleaved pairs
  std::map<VariantName, Counters> counters;  ///< by variant
  std::optional<Error> error;                ///< what could not be had here
};

struct Sweep {
  std::string parameter;              ///< as in the plan
  std::string label;                  ///< what is varied, as a person reads it: "rows"
  std::vector<VariantName> variants;  ///< the first is the one that others are compared with
  std::vector<std::string> metrics;   ///< catalogue names that were counted
  std::vector<SweepPoint> points;     ///< by ascending value
  std::vector<std::string> notes;     ///< sentences: who does not depend on it, why it ended early
};

}  // namespace klab
