// Plot: axes, bars with intervals and every sample, histograms and step curves over ImDrawList.
#pragma once

#include <imgui.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/ticks.hpp"
#include "core/verdict/verdict.hpp"

namespace klab::ui {

/// A straight map from values to pixels.
struct Scale {
  double low = 0, high = 1;
  float from = 0, to = 1;
  float operator()(double value) const {
    return from + static_cast<float>((value - low) / (high - low)) * (to - from);
  }
};

using Format = std::function<std::string(double)>;

/// One variant in a bar plot. Without an interval the bar ends at the samples' median so far.
struct BarRow {
  std::string label;
  ImU32 color = 0;
  std::span<const double> samples;
  std::optional<Interval> interval;
  std::string value;   ///< shown at the right: "1.421 ms"
  std::string detail;  ///< below it: "±0.2 %, 62 samples"
};
/// Horizontal bars from zero, with the interval as a bracket and each sample as a point.
void plot_bars(const char* id, std::span<const BarRow> rows, const Format& format);

/// Each value as a point over how often such values occur, a row of `row_height` a series, with the
/// interval as a bracket; one axis for all.
struct HistogramSeries {
  std::string label;
  ImU32 color = 0;
  std::vector<double> values;
  std::optional<Interval> interval;
};
void plot_histograms(const char* id, std::span<const HistogramSeries> series, float row_height,
                     const Format& format);

/// A curve that moves in steps, with the current point marked.
struct StepCurve {
  std::vector<double> x, y;
  std::vector<std::string> why;  ///< what holds the curve down, a word each x; empty: not told
  double current_x = 0, current_y = 0;
  double high_y = 1;
};
void plot_steps(const char* id, const StepCurve& curve, float height, const Format& format_x,
                const Format& format_y);

}  // namespace klab::ui
