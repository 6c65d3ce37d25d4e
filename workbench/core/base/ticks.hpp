// Ticks: round values along an axis.
#pragma once

#include <vector>

namespace klab {

/// Round values (1, 2 or 5 times a power of ten) that cover [low, high] in about `about` steps.
/// Empty if the range is empty or not finite.
std::vector<double> nice_ticks(double low, double high, int about);

}  // namespace klab
