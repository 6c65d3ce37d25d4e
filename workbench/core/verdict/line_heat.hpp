// LineHeat: how much one source line costs, from whoever counted it: sampled on a GPU or counted by
// the simulator.
#pragma once

#include <map>
#include <string>

#include "core/verdict/variant_name.hpp"
#include "core/verdict/verdict.hpp"

namespace klab {

/// One line of one kernel file. Values are comparable within one variant, file and unit only.
struct LineHeat {
  VariantName variant;
  std::string file;  ///< path as the compiler recorded it
  int line = 0;      ///< from 1
  double value = 0;  ///< how hot, in `unit`
  std::string unit;  ///< "samples", "sectors", "instructions", ...
  Source source = Source::measured;
  /// parts of `value`, e.g. by stall reason; may be empty
  std::map<std::string, double> by_reason;
};

}  // namespace klab
