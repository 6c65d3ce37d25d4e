// SvgPlot: coordinates in a fixed view box; the page scales it.
#include "core/journal/svg_plot.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text.hpp"
#include "core/base/ticks.hpp"
#include "core/measure/format.hpp"

namespace klab {
namespace {

constexpr double width = 640, height = 240;
constexpr double left = 52, right = width - 16, top = 12, bottom = height - 34;

/// The plot's inner rectangle with linear axes.
struct Axes {
  double x_low, x_high, y_high;

  double x(double value) const {
    return x_high > x_low ? left + (value - x_low) / (x_high - x_low) * (right - left)
                          : (left + right) / 2;
  }
  double y(double value) const { return bottom - value / y_high * (bottom - top); }
};

std::string line(std::string_view kind, double x1, double y1, double x2, double y2) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>",
                     kind, x1, y1, x2, y2);
}

std::string words(std::string_view anchor, double x, double y, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", x, y, anchor,
                     escape_markup(text));
}

std::string opened(std::string_view label) {
  return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">", width, height,
                     escape_markup(label));
}

std::string grid(const Axes& axes, const std::vector<double>& y_ticks, const auto& y_words,
                 std::string_view x_label) {
  std::string svg;
  for (const double tick : y_ticks) {
    if (tick > axes.y_high) continue;
    svg += line("grid", left, axes.y(tick), right, axes.y(tick));
    svg += words("end", left - 8, axes.y(tick) + 4, y_words(tick));
  }
  for (const double tick : nice_ticks(axes.x_low, axes.x_high, 8))
    if (tick >= axes.x_low && tick <= axes.x_high && tick == std::round(tick))
      svg += words("middle", axes.x(tick), bottom + 16, format_number(tick));
  return svg + words("middle", (left + right) / 2, height - 4, x_label);
}

/// A shape for each outcome, so that colour is not the only difference.
std::string mark(Outcome verdict, double x, double y) {
  constexpr double r = 4.5;
  if (verdict == Outcome::pass)
    return fmt::format("<circle class=\"pass\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>", x, y, r);
  if (verdict == Outcome::fail)
    return fmt::format("<path class=\"fail\" d=\"M{:.1f} {:.1f}l{} {}m0 -{}l-{} {}\"/>", x - r,
                       y - r, 2 * r, 2 * r, 2 * r, 2 * r, 2 * r);
  return fmt::format(
      "<rect class=\"inconclusive\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\"/>", x - r,
      y - r, 2 * r, 2 * r);
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string escaped;
  const std::string clean = printable(text);
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const char c = clean[i];
    const auto follows = [&](std::string_view bytes) { return clean.compare(i, 3, bytes) == 0; };
    if (follows("\xEF\xBF\xBE") || follows("\xEF\xBF\xBF"))
      i += 2;
    else if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else if (c == '\'')
      escaped += "&#39;";
    else
      escaped += c;
  }
  return escaped;
}

std::string ratio_svg(const std::vector<RatioPoint>& points, std::optional<double> target,
                      std::string_view label) {
  if (points.empty()) return {};
  double highest = target.value_or(1);
  for (const RatioPoint& point : points) highest = std::max(highest, point.ratio.high);
  const auto ticks = nice_ticks(0, highest, 5);
  if (ticks.empty()) return {};
  const Axes axes{static_cast<double>(points.front().attempt),
                  static_cast<double>(points.back().attempt), ticks.back()};
  std::string svg =
      opened(label) + grid(
                          axes, ticks, [](double v) { return format_ratio(v); }, "attempt");
  if (target) {
    svg += line("target", left, axes.y(*target), right, axes.y(*target));
    svg += words("end", right, axes.y(*target) - 5, "target " + format_ratio(*target));
  }
  for (const RatioPoint& point : points) {
    const double x = axes.x(point.attempt);
    svg += "<g>" + line("interval", x, axes.y(point.ratio.low), x, axes.y(point.ratio.high));
    for (const double end : {point.ratio.low, point.ratio.high})
      svg += line("interval", x - 4, axes.y(end), x + 4, axes.y(end));
    svg += mark(point.verdict, x, axes.y(point.ratio.median));
    svg += "<title>" +
           escape_markup("Attempt " + std::to_string(point.attempt) + ": " +
                         format_ratio(std::optional(point.ratio)) + ", " +
                         std::string(to_string(point.verdict))) +
           "</title></g>";
  }
  return svg + "</svg>";
}

std::string share_svg(const std::vector<SharePoint>& points, std::optional<double> by_guess,
                      std::string_view label) {
  if (points.empty()) return {};
  const Axes axes{1, static_cast<double>(points.back().known), 100};
  std::string svg = opened(label) + grid(
                                        axes, {0, 25, 50, 75, 100},
                                        [](double v) { return format_percent(v); }, "predictions");
  if (by_guess) {
    const double y = axes.y(std::clamp(*by_guess * 100, 0.0, 100.0));
    svg += line("target", left, y, right, y) + words("end", right, y - 5, "blind guesses");
  }
  std::string path, marks;
  for (const SharePoint& point : points) {
    const double x = axes.x(point.known), y = axes.y(100.0 * point.right / point.known);
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
    marks += fmt::format("<circle class=\"mine\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\"/>", x, y);
  }
  return svg + "<path class=\"mine-line\" d=\"" + path + "\"/>" + marks + "</svg>";
}

}  // namespace klab
