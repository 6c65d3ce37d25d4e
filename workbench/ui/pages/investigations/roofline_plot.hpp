// RooflinePlot: rates over intensity under the measured roofs, with the way from flawed to
// optimized.
#pragma once

#include "core/investigate/roofline_rules.hpp"

namespace klab::ui {

/// The kernels at one memory level, roofs of all levels, ridge points, and numbers on hover.
void plot_roofline(const char* id, const Roofline& roofline, MemoryLevel level, float height);

/// Where no rate is known: the kernels' intensities on a line, and the task's own.
void plot_intensities(const char* id, const Roofline& roofline, MemoryLevel level, float height);

}  // namespace klab::ui
