// Ticks: steps of 1, 2 or 5 times a power of ten.
#include "core/base/ticks.hpp"

#include <cmath>

namespace klab {

std::vector<double> nice_ticks(double low, double high, int about) {
  std::vector<double> ticks;
  const double range = high - low;
  if (!(range > 0) || !std::isfinite(range) || about < 1) return ticks;
  const double raw = range / about;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double part = raw / power;
  const double step = power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
  if (!(step > 0)) return ticks;
  const double first = std::floor(low / step), last = std::ceil(high / step - 1e-9);
  if (last - first > 1000) return ticks;
  for (double i = first; i <= last; ++i) ticks.push_back(i * step);
  return ticks;
}

}  // namespace klab
