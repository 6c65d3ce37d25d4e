// Sweep rules: which values a sweep takes, and where one kernel overtakes another. Pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/investigate/sweep_points.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

/// The dimension that a sweep of the size varies: the largest extent, of equal ones the first.
std::size_t swept_dimension(const Size& size);

/// Powers of two times the timing size's extent, from a 4096th to twice of it, ascending, without
/// those below 1. On the simulator, whose size is small already, from a 64th to once.
std::vector<std::int64_t> size_values(const Size& size, bool simulated);

/// A place where the ratio's interval crosses 1.
struct Crossover {
  double from = 0, to = 0;   ///< the last value decided before it and the first decided after it
  std::optional<double> at;  ///< where the medians cross, by the logarithms; absent if they do not
  bool wins_after = false;   ///< the variant is the faster one from here on
};
/// Every crossing of `variant` with the first variant. A point whose interval holds 1 decides
/// nothing: it widens the bracket.
std::vector<Crossover> crossovers(std::span<const SweepPoint> points, const VariantName& variant);

/// What the sweep shows of `variant` in a sentence: where it begins to win, that it always does,
/// never does, or that no point could tell.
std::string crossover_text(const Sweep& sweep, const VariantName& variant);

}  // namespace klab
