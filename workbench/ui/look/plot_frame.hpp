// PlotFrame: axes, straight or logarithmic, and the grid behind a plot.
#pragma once

#include <imgui.h>

#include <functional>
#include <string>
#include <vector>

#include "core/verdict/variant_name.hpp"
#include "ui/look/plot.hpp"

namespace klab::ui {

/// One axis. On a logarithmic one `low` and `high` are positive.
struct Axis {
  double low = 0, high = 1;
  bool logarithmic = false;
  std::vector<double> ticks;
  Format format;
  std::string label;
};

/// Powers of `base` that cover [low, high], so many of them left out that at most `most` remain.
std::vector<double> power_ticks(double low, double high, double base, std::size_t most);

/// An axis over the positive values, a little wider than they are, with ticks at powers of `base`.
Axis log_axis(const std::vector<double>& values, double base, std::size_t most_ticks);

/// An axis from 0 over the values, which stay clear of the frame: a line on it would not be seen.
Axis straight_axis(const std::vector<double>& values, int most_ticks);

/// A rectangle with a map from values to pixels.
class PlotFrame {
 public:
  /// Takes the width of the region and `height` pixels, ticks and labels included, and draws grid,
  /// ticks and labels.
  PlotFrame(const char* id, const Axis& x, const Axis& y, float height);

  float x(double value) const { return place(x_, value, left, right); }
  float y(double value) const { return place(y_, value, bottom, top); }
  ImVec2 at(double horizontal, double vertical) const { return ImVec2(x(horizontal), y(vertical)); }
  /// The value at a height in pixels.
  double value_at(float height) const;
  /// The pointer is over the plot.
  bool hovered() const { return hovered_; }

  float left = 0, right = 0, top = 0, bottom = 0;

 private:
  static float place(const Axis& axis, double value, float from, float to);
  void draw_grid() const;

  Axis x_, y_;
  bool hovered_ = false;
};

/// Draws inside a frame only, until the scope ends.
class PlotClip {
 public:
  explicit PlotClip(const PlotFrame& frame);
  ~PlotClip();
  PlotClip(const PlotClip&) = delete;
  PlotClip& operator=(const PlotClip&) = delete;
};

/// The sign of a variant: a square for flawed, a circle for mine, a diamond for optimized, a
/// triangle for any other; each in its colour and told apart without it. `with_edge`: a rim of the
/// surface sets it off from what lies below.
void draw_marker(ImDrawList& list, const VariantName& variant, ImVec2 at, float radius,
                 bool with_edge = true);

/// A line of recent values, oldest first, in the region's width.
void plot_recent(const char* id, const std::vector<double>& values, double low, double high,
                 float height, ImU32 color);

}  // namespace klab::ui
